import { useAuth, useClerk } from "@clerk/react";
import {
  type CourseDetail,
  listReviews,
  type Review,
  rateCourse,
  removeReviewResponse,
  reportReview,
  respondToReview,
  toggleHelpfulReview,
} from "@lyceum/client";
import { useState } from "react";
import { asViewer, usePages } from "./load.js";
import { count, FoldedForm, focusOn, More, Rating, Refusal, shownDate } from "./parts.js";

const allStars = ["5", "4", "3", "2", "1"] as const;
type StarsText = (typeof allStars)[number];

interface Props {
  course: CourseDetail;
  /** Whether the viewer may rate the course. */
  isOwned: boolean;
  ownRating: number | null;
  /** Loads the figures of the course again. */
  reload: () => void;
}

/** Shows what learners think of a course. */
export function Reviews({ course, isOwned, ownRating, reload }: Props) {
  const { userId } = useAuth();
  const [rating, setRating] = useState<StarsText>();
  const [sort, setSort] = useState<"helpful" | "newest">("helpful");
  const path = { id: course._id };
  const list = usePages(
    (after, signal) =>
      listReviews({
        path,
        query: { sort, limit: 10, ...(rating && { rating: Number(rating) }), ...after },
        signal,
        security: asViewer,
      }),
    ({ reviews }) => reviews,
    `${course._id} ${rating} ${sort} ${userId}`,
  );
  const own = list.rows.find(({ isAuthor }) => isAuthor);
  const change = (changed: Partial<Review> & { _id: string }) =>
    list.setRows((review) => (review._id === changed._id ? { ...review, ...changed } : review));
  const distribution = list.reply?.distribution;
  return (
    <section aria-labelledby="reviews">
      <h2 id="reviews">Reviews</h2>
      <div className="card prompt summary">
        <p className="average">
          <strong className="large">{course.totalRatings > 0 ? course.averageRating.toFixed(1) : "–"}</strong>
          <span className="soft">{count(course.totalRatings, "rating")}</span>
        </p>
        <ul className="bars" aria-label="Ratings by stars">
          {allStars.map((stars) => (
            <li key={stars}>
              <button
                type="button"
                className="bar-line"
                aria-pressed={rating === stars}
                onClick={() => setRating(rating === stars ? undefined : stars)}
              >
                <span>{count(Number(stars), "star")}</span>
                <progress
                  value={distribution?.[stars] ?? 0}
                  max={Math.max(course.totalRatings, 1)}
                  aria-hidden="true"
                />
                <span className="soft">{distribution?.[stars] ?? 0}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
      {isOwned && (
        <RatingForm
          courseId={course._id}
          rating={ownRating}
          text={own?.review ?? ""}
          saved={() => {
            reload();
            void list.again();
          }}
        />
      )}
      <div className="row spread">
        <p role="status">
          {list.reply && list.rows.length === 0 && "No reviews with a text here."}
          {rating && (
            <>
              Only {count(Number(rating), "star")}.{" "}
              <button
                type="button"
                className="plain"
                onClick={({ currentTarget }) => {
                  focusOn(currentTarget.closest("section"));
                  setRating(undefined);
                }}
              >
                Show all reviews
              </button>
            </>
          )}
        </p>
        <label>
          Sort by{" "}
          <select value={sort} onChange={({ target }) => setSort(target.value as typeof sort)}>
            <option value="helpful">most helpful</option>
            <option value="newest">newest</option>
          </select>
        </label>
      </div>
      <Refusal error={list.error} />
      <ul className="cards" aria-busy={list.isBusy}>
        {list.rows.map((review) => (
          <OneReview key={review._id} course={course} review={review} change={change} />
        ))}
      </ul>
      <More list={list}>More reviews</More>
    </section>
  );
}

interface RatingFormProps {
  courseId: string;
  rating: number | null;
  /** The viewer's review, if it is in the list. */
  text: string;
  saved: () => void;
}

/** Rates the course, with or without a text. */
function RatingForm({ courseId, rating, text, saved }: RatingFormProps) {
  const send = async (fields: FormData) => {
    const review = String(fields.get("review"));
    // A text that is not sent stays as it is.
    const body = { courseId, rating: Number(fields.get("rating")), ...(review !== text && { review }) };
    const answer = await rateCourse({ body });
    if (answer.data) saved();
    return answer;
  };
  return (
    <FoldedForm
      title={rating ? `You gave ${count(rating, "star")}. Change your review` : "Write a review"}
      action="Publish"
      send={send}
      done={() => "Thank you. Your review is published."}
    >
      <fieldset className="rate">
        <legend>Your rating</legend>
        {["1", "2", "3", "4", "5"].map((stars) => (
          <label key={stars}>
            <input type="radio" name="rating" value={stars} required defaultChecked={rating === Number(stars)} />
            <span className="unseen">{count(Number(stars), "star")}</span>
            <span aria-hidden="true">★</span>
          </label>
        ))}
      </fieldset>
      <label className="field">
        What would you tell other learners? (optional)
        <textarea name="review" rows={5} maxLength={2000} defaultValue={text} />
      </label>
    </FoldedForm>
  );
}

interface OneReviewProps {
  course: CourseDetail;
  review: Review;
  change: (changed: Partial<Review> & { _id: string }) => void;
}

function OneReview({ course, review, change }: OneReviewProps) {
  const { userId } = useAuth();
  const { _id, rating, authorName, authorImage, isAuthor, response, createdAt, updatedAt } = review;
  const path = { id: course._id, reviewId: _id };
  return (
    <li className="card prompt">
      <p className="row">
        <span className="by">
          {authorImage && <img src={authorImage} alt="" />} <strong>{authorName}</strong>
          {isAuthor && <span className="badge">Your review</span>}
        </span>
        <Rating stars={rating} />
        <span className="soft">
          {shownDate(createdAt)}
          {updatedAt > createdAt && ", changed"}
        </span>
      </p>
      <p className="said">{review.review}</p>
      {response && (
        <div className="response">
          <p className="soft">
            {course.educatorId.name} responded on {shownDate(response.createdAt)}
          </p>
          <p className="said">{response.content}</p>
        </div>
      )}
      <div className="row actions">
        <Helpful path={path} review={review} change={change} />
        {userId === course.educatorId._id && <ResponseForm path={path} review={review} change={change} />}
        {userId && !isAuthor && (
          <FoldedForm
            title="Report"
            action="Send the report"
            send={(fields) => reportReview({ path, body: { reason: String(fields.get("reason")) } })}
            done={() => "Thank you. An administrator will look at it."}
          >
            <label className="field">
              What is wrong with this review?
              <textarea name="reason" rows={2} maxLength={500} required />
            </label>
          </FoldedForm>
        )}
      </div>
    </li>
  );
}

type ActionProps = Omit<OneReviewProps, "course"> & { path: { id: string; reviewId: string } };

/** Marks a review as helpful, and takes the mark back. The author sees the number alone. */
function Helpful({ path, review, change }: ActionProps) {
  const { isSignedIn } = useAuth();
  const { openSignIn } = useClerk();
  const [refused, setRefused] = useState<{ message: string }>();
  const { helpfulCount, isHelpful, isAuthor } = review;
  const toggle = async () => {
    const { data, error } = await toggleHelpfulReview({ path });
    setRefused(error);
    if (data) change({ _id: review._id, helpfulCount: data.helpfulCount, isHelpful: data.isHelpful });
  };
  if (isAuthor) return <span className="soft">Helpful for {count(helpfulCount, "learner")}</span>;
  return (
    <>
      <button
        type="button"
        className="quiet small"
        aria-pressed={isHelpful}
        onClick={isSignedIn ? toggle : () => openSignIn()}
      >
        Helpful ({helpfulCount})
      </button>
      <Refusal error={refused} />
    </>
  );
}

/** The educator answers in public. */
function ResponseForm({ path, review, change }: ActionProps) {
  const { _id, response } = review;
  const send = async (fields: FormData) => {
    const answer = await respondToReview({ path, body: { content: String(fields.get("content")) } });
    if (answer.data) change({ _id, response: answer.data.response });
    return answer;
  };
  const remove = async (button: HTMLElement) => {
    const { data } = await removeReviewResponse({ path });
    if (!data) return;
    focusOn(button.closest("li"));
    change({ _id, response: null });
  };
  return (
    <FoldedForm
      title={response ? "Change your response" : "Respond"}
      action="Publish"
      send={send}
      done={() => "Your response is published."}
    >
      <label className="field">
        Your response
        <textarea name="content" rows={4} maxLength={2000} required defaultValue={response?.content} />
      </label>
      {response && (
        <button type="button" className="plain" onClick={({ currentTarget }) => remove(currentTarget)}>
          Remove the response
        </button>
      )}
    </FoldedForm>
  );
}
