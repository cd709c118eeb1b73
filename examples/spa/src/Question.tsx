import type { Attempt, AttemptResult } from "@lyceum/client";
import { useId, useState } from "react";
import { Markdown } from "./Markdown.js";

type Open = Attempt["questions"][number];
type Reviewed = NonNullable<AttemptResult["review"]>[number]["question"];

interface AnswerProps {
  question: Open;
  value: unknown;
  change: (value: unknown) => void;
}

/** The fields of one kind of question. Texts of authors are Markdown. */
export function AnswerFields({ question, value, change }: AnswerProps) {
  const { _id: name } = question;
  switch (question.kind) {
    case "single":
      return question.options.map(({ id, text }) => (
        <Choice key={id} type="radio" {...{ name, text }} isChosen={value === id} choose={() => change(id)} />
      ));
    case "boolean":
      return [true, false].map((statement) => (
        <Choice
          key={String(statement)}
          type="radio"
          {...{ name, text: statement ? "True" : "False" }}
          isChosen={value === statement}
          choose={() => change(statement)}
        />
      ));
    case "multiple": {
      const chosen = Array.isArray(value) ? value : [];
      return question.options.map(({ id, text }) => (
        <Choice
          key={id}
          type="checkbox"
          {...{ name, text }}
          isChosen={chosen.includes(id)}
          choose={(isChosen) => change(isChosen ? [...chosen, id] : chosen.filter((other) => other !== id))}
        />
      ));
    }
    case "number":
    case "text":
      return (
        <input
          type={question.kind}
          step="any"
          aria-label="Your answer"
          defaultValue={value === undefined || value === null ? "" : String(value)}
          onBlur={({ target }) =>
            change(question.kind === "text" || !target.value ? target.value : Number(target.value))
          }
        />
      );
    case "order":
      return <Order items={question.items} ids={value as string[]} change={change} />;
  }
}

interface ChoiceProps {
  type: "radio" | "checkbox";
  name: string;
  text: string;
  isChosen: boolean;
  choose: (isChosen: boolean) => void;
}

const Choice = ({ type, name, text, isChosen, choose }: ChoiceProps) => (
  <label className="choice">
    <input type={type} name={name} checked={isChosen} onChange={({ target }) => choose(target.checked)} />
    <Markdown inline text={text} />
  </label>
);

interface OrderProps {
  items: { id: string; text: string }[];
  ids: string[];
  change: (ids: string[]) => void;
}

/** Puts items in order with two buttons for each, and says where a moved item is now. */
function Order({ items, ids, change }: OrderProps) {
  const [moved, setMoved] = useState("");
  const prefix = useId();
  const textOf = (id: string) => items.find((item) => item.id === id)?.text ?? "";
  const move = (id: string, from: number, to: number) => {
    if (to < 0 || to >= ids.length) return;
    change(ids.toSpliced(from, 1).toSpliced(to, 0, id));
    setMoved(id);
  };
  return (
    <>
      <ol className="order">
        {ids.map((id, at) => (
          <li key={id}>
            <span id={`${prefix}${id}`}>
              <Markdown inline text={textOf(id)} />
            </span>
            {[-1, 1].map((step) => (
              <button
                key={step}
                type="button"
                className="quiet arrow"
                id={`${prefix}${id}${step}`}
                aria-label={step < 0 ? "Move up" : "Move down"}
                aria-labelledby={`${prefix}${id}${step} ${prefix}${id}`}
                // A disabled button would lose the focus.
                aria-disabled={ids[at + step] === undefined}
                onClick={() => move(id, at, at + step)}
              >
                {step < 0 ? "↑" : "↓"}
              </button>
            ))}
          </li>
        ))}
      </ol>
      <p role="status" className="unseen">
        {moved && (
          <>
            <Markdown inline text={textOf(moved)} /> is now {ids.indexOf(moved) + 1} of {ids.length}
          </>
        )}
      </p>
    </>
  );
}

/** Shows an answer of the learner, or the right one. */
export function Given({ question, answer }: { question: Reviewed; answer: unknown }) {
  const ids = Array.isArray(answer) ? answer : [answer];
  const textsFrom = (texts: { id: string; text: string }[]) =>
    ids
      .flatMap((id) => texts.filter((text) => text.id === id))
      .map(({ id, text }) => (
        <li key={id}>
          <Markdown inline text={text} />
        </li>
      ));
  if (answer === undefined || answer === null || answer === "" || ids.length === 0) return "–";
  switch (question.kind) {
    case "single":
    case "multiple":
      return <ul>{textsFrom(question.options)}</ul>;
    case "order":
      return <ol>{textsFrom(question.items)}</ol>;
    case "boolean":
      return answer ? "True" : "False";
    default:
      return ids.join(" or ");
  }
}

export function rightAnswer(question: Reviewed): unknown {
  if (question.kind === "order") return question.items.map(({ id }) => id);
  return question.kind === "text" ? question.accepted : question.correct;
}
