import {
  type AssessmentView,
  type Attempt,
  type AttemptResult,
  getAssessment,
  saveAnswers,
  startAttempt,
  submitAttempt,
} from "@lyceum/client";
import { useEffect, useRef, useState } from "react";
import { useAnswer } from "./load.js";
import { Markdown } from "./Markdown.js";
import { count, Pending, Refusal, Title } from "./parts.js";
import { AnswerFields, Given, rightAnswer } from "./Question.js";

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
  if (!assessment) return <Pending error={error} />;

  const start = async () => {
    const started = await startAttempt({ path });
    setRefused(started.error);
    setAttempt(started.data?.attempt);
    setResult(undefined);
  };
  const submit = async (attemptId: string, answers: Answers) => {
    const submitted = await submitAttempt({ path: { attemptId }, body: { answers } });
    setRefused(submitted.error);
    if (!submitted.data) return;
    setResult(submitted.data.result);
    setAttempt(undefined);
    again();
  };
  return (
    <div className="assessment">
      <p className="soft">
        <a href={`/player/${courseId}`}>Back to the course</a>
      </p>
      <Title>{assessment.title}</Title>
      <Refusal error={refused} />
      {attempt ? (
        <Paper attempt={attempt} refuse={setRefused} submit={(answers) => submit(attempt._id, answers)} />
      ) : (
        <>
          {result && <Result result={result} />}
          <Rules assessment={assessment} start={start} />
        </>
      )}
    </div>
  );
}

function Rules({ assessment, start }: { assessment: AssessmentView; start: () => Promise<void> }) {
  const { maxAttempts, attemptsUsed, timeLimitMinutes, bestPercent, nextAttemptAt, openAttemptId } = assessment;
  const hasAttempts = maxAttempts === null || attemptsUsed < maxAttempts;
  return (
    <section className="card prompt" aria-label="Rules">
      <dl className="facts">
        <div>
          <dt>Questions</dt>
          <dd>{assessment.questionCount}</dd>
        </div>
        <div>
          <dt>Points</dt>
          <dd>{assessment.totalPoints}</dd>
        </div>
        <div>
          <dt>To pass</dt>
          <dd>{assessment.passPercent} %</dd>
        </div>
        <div>
          <dt>Time</dt>
          <dd>{timeLimitMinutes === null ? "No limit" : count(timeLimitMinutes, "minute")}</dd>
        </div>
        <div>
          <dt>Attempts</dt>
          <dd>{maxAttempts === null ? `${attemptsUsed} used` : `${attemptsUsed} of ${maxAttempts} used`}</dd>
        </div>
        {bestPercent !== null && (
          <div>
            <dt>Best result</dt>
            <dd>
              {bestPercent} %{assessment.passed && ", passed"}
            </dd>
          </div>
        )}
      </dl>
      {nextAttemptAt && <p>The next attempt can begin at {new Date(nextAttemptAt).toLocaleString()}.</p>}
      {openAttemptId || hasAttempts ? (
        <button type="button" onClick={start}>
          {openAttemptId ? "Continue the attempt" : "Start an attempt"}
        </button>
      ) : (
        <p>You have used all attempts.</p>
      )}
    </section>
  );
}

type Answers = Record<string, unknown>;
interface PaperProps {
  attempt: Attempt;
  refuse: (error: { message: string } | undefined) => void;
  submit: (answers: Answers) => Promise<void>;
}

/** The questions of an attempt. Each answer is saved at once, so that a closed page loses none. */
function Paper({ attempt, refuse, submit }: PaperProps) {
  const [answers, setAnswers] = useState<Answers>(() => ({ ...shownOrders(attempt), ...attempt.answers }));
  const [saving, setSaving] = useState<Promise<void>>(Promise.resolve());
  const first = useFocus<HTMLParagraphElement>();
  const answer = (id: string, value: unknown) => {
    setAnswers((before) => ({ ...before, [id]: value }));
    const save = () => saveAnswers({ path: { attemptId: attempt._id }, body: { answers: { [id]: value } } });
    setSaving((before) => before.then(save).then(({ error }) => refuse(error)));
  };
  const finish = () => void saving.then(() => submit(answers));
  const answered = attempt.questions.filter(({ _id }) => ![undefined, null, ""].includes(answers[_id] as string));
  return (
    <>
      <p className="clock" ref={first} tabIndex={-1}>
        <span>
          {answered.length} of {attempt.questions.length} answered
        </span>
        {attempt.endsAt && <TimeLeft endsAt={attempt.endsAt} finish={finish} />}
      </p>
      {attempt.questions.map((question, index) => (
        // biome-ignore lint/a11y/useSemanticElements: a legend holds no paragraphs, and a prompt may have several
        <section key={question._id} className="card question" role="group" aria-labelledby={`prompt-${question._id}`}>
          <p className="soft">
            Question {index + 1} · {count(question.points, "point")}
          </p>
          <div id={`prompt-${question._id}`} className="asked">
            <Markdown text={question.prompt} />
          </div>
          <AnswerFields
            question={question}
            value={answers[question._id]}
            change={(value) => answer(question._id, value)}
          />
        </section>
      ))}
      <button type="button" onClick={finish}>
        Submit
      </button>
    </>
  );
}

/** An order counts as answered as it is shown: it may be right already. */
const shownOrders = ({ questions }: Attempt): Answers =>
  Object.fromEntries(
    questions.flatMap((question) =>
      question.kind === "order" ? [[question._id, question.items.map(({ id }) => id)]] : [],
    ),
  );

const clockOf = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

/** Counts down, and hands the answers in at the end. A screen reader hears of the last minutes only. */
function TimeLeft({ endsAt, finish }: { endsAt: string; finish: () => void }) {
  const secondsLeft = () => Math.max(0, Math.ceil((Date.parse(endsAt) - Date.now()) / 1000));
  const [seconds, setSeconds] = useState(secondsLeft);
  useEffect(() => {
    const timer = setInterval(() => setSeconds(secondsLeft()), 1_000);
    return () => clearInterval(timer);
  }, [endsAt]);
  useEffect(() => {
    if (seconds === 0) finish();
  }, [seconds === 0]);
  const warning = [1, 5].find((minutes) => seconds <= minutes * 60);
  return (
    <>
      <span role="timer" className={warning ? "ending" : ""}>
        Time left: <strong>{clockOf(seconds)}</strong>
      </span>
      <span role="status" className="unseen">
        {warning && `${count(warning, "minute")} left`}
      </span>
    </>
  );
}

function Result({ result }: { result: AttemptResult }) {
  const heading = useFocus<HTMLHeadingElement>();
  return (
    <section aria-label="Result">
      <div className={`card prompt verdict ${result.passed ? "right" : "wrong"}`}>
        <h2 ref={heading} tabIndex={-1}>
          {result.passed ? "Passed" : "Not passed"}: {result.percent} %
        </h2>
        <p>
          {result.points} of {count(result.totalPoints, "point")}
        </p>
      </div>
      {result.review?.map(({ question, answer, points, pointsPossible }, index) => (
        <section key={question._id} className={`card question ${points === pointsPossible ? "right" : "wrong"}`}>
          <h3 className="soft">
            Question {index + 1} · {points} of {count(pointsPossible, "point")}
          </h3>
          <div className="asked">
            <Markdown text={question.prompt} />
          </div>
          <dl className="given">
            <dt>Your answer</dt>
            <dd>
              <Given question={question} answer={answer} />
            </dd>
            {points < pointsPossible && (
              <>
                <dt>Right answer</dt>
                <dd>
                  <Given question={question} answer={rightAnswer(question)} />
                </dd>
              </>
            )}
          </dl>
          {question.explanation && <Markdown text={question.explanation} />}
        </section>
      ))}
    </section>
  );
}

/** Moves the focus to an element when it appears. */
function useFocus<Element extends HTMLElement>() {
  const element = useRef<Element>(null);
  useEffect(() => {
    element.current?.focus({ preventScroll: true });
    element.current?.scrollIntoView({ block: "center" });
  }, []);
  return element;
}
