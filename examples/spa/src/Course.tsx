import { useAuth, useClerk } from "@clerk/clerk-react";
import { createPurchase, getCourse, listEnrolledCourses, verifyPayment } from "@lyceum/client";
import { useState } from "react";
import { priceOf, shownPrice } from "./Catalog.js";
import { pay } from "./checkout.js";
import { Refusal, useAnswer } from "./load.js";

/** Shows a course with its chapters and the button to buy it. */
export function Course({ id }: { id: string }) {
  const { isSignedIn } = useAuth();
  const { openSignIn } = useClerk();
  const { data, error } = useAnswer(() => getCourse({ path: { id } }), id);
  const own = useAnswer(() => listEnrolledCourses(), `${isSignedIn}`, isSignedIn);
  const [refused, setRefused] = useState<{ message: string }>();
  const [busy, setBusy] = useState(false);
  if (!data?.success) return <Refusal error={data ?? error} />;
  const course = data.courseData;
  const owned = own.data?.enrolledCourses.some(({ _id }) => _id === id);

  const buy = async () => {
    setBusy(true);
    setRefused((await purchase(id, course.courseTitle).catch((thrown: Error) => thrown)) ?? undefined);
    setBusy(false);
    own.again();
  };
  return (
    <>
      <h1>{course.courseTitle}</h1>
      <p className="soft">
        by {course.educatorId.name}, {course.totalLectures} lectures, {course.totalDurationMinutes} minutes
      </p>
      <Refusal error={refused ?? own.error} />
      {owned ? (
        <a href={`#learn/${id}`}>Go to the course</a>
      ) : (
        <button type="button" disabled={busy} onClick={isSignedIn ? buy : () => openSignIn()}>
          {!isSignedIn ? "Sign in to buy" : priceOf(course) === 0 ? "Enroll for free" : `Buy for ${shownPrice(course)}`}
        </button>
      )}
      {course.courseContent.map((chapter) => (
        <section key={chapter.chapterId}>
          <h2>{chapter.chapterTitle}</h2>
          <ol>
            {chapter.chapterContent.map(({ lectureId, lectureTitle, lectureDuration }) => (
              <li key={lectureId}>
                {lectureTitle} <span className="soft">{lectureDuration} min</span>
              </li>
            ))}
          </ol>
        </section>
      ))}
    </>
  );
}

/** Enrolls in the course. @returns the server's refusal, if any. */
async function purchase(courseId: string, title: string): Promise<{ message: string } | undefined> {
  const opened = await createPurchase({ body: { courseId } });
  if (!opened.data) return opened.error;
  const { purchaseId, orderId, keyId } = opened.data;
  if (!orderId || !keyId) return undefined;
  const proof = await pay({ key: keyId, order_id: orderId, name: "Lyceum example", description: title });
  if (!proof) return { message: "You left the checkout. You can buy the course later." };
  return (await verifyPayment({ body: { ...proof, purchaseId } })).error;
}
