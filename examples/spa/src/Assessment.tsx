import {
  type AssessmentView,
  type Attempt,
  type AttemptResult,
  getAssessment,
  saveAnswers,
  startAttempt,
  submitAttempt,
} from "@lyceum/client";
import { useState } from "react";
import { Refusal, useAnswer } from "./load.js";

type Question = Attempt["questions"][number];

interface Props {
  courseId: string;
  chapterId: string;
}

/** Shows the assessment of a chapter: its rules, an attempt, and the result. */
export function Assessment({ courseId, chapterId }: Props) {
  const path = { courseId, chapterId };
  const { data, error, again } = useAnswer(() => getAssessment({ path }), chapterId);
  const [attempt, setAttempt] = useState<Attempt>();
  const [result, setResult] = useState<AttemptResult>();
  const [refused, setRefused] = useState<{ message: string }>();
  const assessment = data?.assessment;
  if (!assessment) return <Refusal error={error} />;

  const start = async () => {
    const started = await startAttempt({ path });
    setRefused(started.error);
    setAttempt(started.data?.attempt);
    setResult(undefined);
  };
  const submit = async (attemptId: string) => {
    const submitted = await submitAttempt({ path: { attemptId }, body: {} });
    setRefused(submitted.error);
    if (!submitted.data) return;
    setResult(submitted.data.result);
    setAttempt(undefined);
    again();
  };
  return (
    <>
      <h1>{assessment.title}</h1>
      <p>
        <a href={`#learn/${courseId}`}>Back to the course</a>
      </p>
      <Refusal error={refused} />
      {attempt ? (
        <Paper attempt={attempt} refuse={setRefused} submit={() => submit(attempt._id)} />
      ) : (
        <>
          {result && <Result result={result} />}
          <Rules assessment={assessment} />
          <button type="button" onClick={start}>
            {assessment.openAttemptId ? "Continue the attempt" : "Start an attempt"}
          </button>
        </>
      )}
    </>
  );
}

function Rules({ assessment }: { assessment: AssessmentView }) {
  const { questionCount, totalPoints, passPercent, maxAttempts, attemptsUsed, timeLimitMinutes } = assessment;
  return (
    <ul>
      <li>
        {questionCount} questions, {totalPoints} points; {passPercent} % pass
      </li>
      <li>{timeLimitMinutes === null ? "No time limit" : `${timeLimitMinutes} minutes`}</li>
      <li>
        {attemptsUsed} of {maxAttempts ?? "any number of"} attempts used
      </li>
      {assessment.bestPercent !== null && (
        <li>
          Best result: {assessment.bestPercent} %{assessment.passed && ", passed"}
        </li>
      )}
    </ul>
  );
}

interface PaperProps {
  attempt: Attempt;
  refuse: (error: { message: string } | undefined) => void;
  submit: () => Promise<void>;
}

/** The questions of an attempt. Each answer is saved at once, so that a closed page loses none. */
function Paper({ attempt, refuse, submit }: PaperProps) {
  const [answers, setAnswers] = useState(attempt.answers);
  const [saving, setSaving] = useState<Promise<void>>(Promise.resolve());
  const answer = (id: string, value: unknown) => {
    setAnswers((before) => ({ ...before, [id]: value }));
    const save = () => saveAnswers({ path: { attemptId: attempt._id }, body: { answers: { [id]: value } } });
    setSaving((before) => before.then(save).then(({ error }) => refuse(error)));
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void saving.then(submit);
      }}
    >
      {attempt.endsAt && <p>Time ends at {new Date(attempt.endsAt).toLocaleTimeString()}.</p>}
      {attempt.questions.map((question) => (
        <fieldset key={question._id}>
          <legend>
            {question.prompt} <span className="soft">({question.points} points)</span>
          </legend>
          <Answer question={question} value={answers[question._id]} change={(value) => answer(question._id, value)} />
        </fieldset>
      ))}
      <button type="submit">Submit</button>
    </form>
  );
}

interface AnswerProps {
  question: Question;
  value: unknown;
  change: (value: unknown) => void;
}

/** The fields of one kind of question. */
function Answer({ question, value, change }: AnswerProps) {
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
    case "text": {
      const isNumber = question.kind === "number";
      return (
        <input
          type={isNumber ? "number" : "text"}
          step="any"
          aria-label="Your answer"
          defaultValue={value === undefined || value === null ? "" : String(value)}
          onBlur={({ target }) => target.value !== "" && change(isNumber ? Number(target.value) : target.value)}
        />
      );
    }
    case "order":
      return <Order items={question.items} value={value} change={change} />;
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
  <label>
    <input type={type} name={name} checked={isChosen} onChange={({ target }) => choose(target.checked)} /> {text}
  </label>
);

type Items = Extract<Question, { kind: "order" }>["items"];

/** Puts items in order with a button that moves an item up, so that no pointer is needed. */
function Order({ items, value, change }: { items: Items; value: unknown; change: (ids: string[]) => void }) {
  const ids = Array.isArray(value) ? (value as string[]) : items.map(({ id }) => id);
  const raise = (at: number) => change(ids.toSpliced(at - 1, 2, ...ids.slice(at - 1, at + 1).toReversed()));
  return (
    <ol>
      {ids.map((id, at) => {
        const text = items.find((item) => item.id === id)?.text;
        return (
          <li key={id}>
            {text}{" "}
            <button type="button" className="quiet" disabled={at === 0} onClick={() => raise(at)}>
              Move {text} up
            </button>
          </li>
        );
      })}
    </ol>
  );
}

function Result({ result }: { result: AttemptResult }) {
  return (
    <section aria-live="polite">
      <h2>
        {result.passed ? "Passed" : "Not passed"}: {result.percent} %
      </h2>
      <p>
        {result.points} of {result.totalPoints} points
      </p>
      {result.review && (
        <ol>
          {result.review.map(({ question, points, pointsPossible }) => (
            <li key={question._id}>
              {question.prompt} {points} of {pointsPossible} points. {question.explanation}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
