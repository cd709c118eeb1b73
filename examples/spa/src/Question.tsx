import type { Attempt, AttemptResult } from "@lyceum/client";
import { Markdown } from "./Markdown.js";
import { Order } from "./Order.js";

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
      return (
        <Order
          items={question.items.map(({ id, text }) => ({ id, shown: <Markdown inline text={text} /> }))}
          ids={value as string[]}
          change={change}
        />
      );
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
