import type { Answer } from "./client.js";
import type { Learner } from "./scene.js";

const lectureIds = [1, 2].flatMap((chapter) => [1, 2, 3].map((lecture) => `ch${chapter}-l${lecture}`));

/** Returns true for done, false for refused, and undefined when unknown. */
export const isDone = (answer: Answer | undefined): boolean | undefined =>
  answer?.status === 200 ? true : answer && answer.status < 500 ? false : undefined;

/** Completes lectures of the newest course. */
export async function learn({ scene, client, id, courses }: Learner, lectures: number): Promise<void> {
  const courseId = courses.at(-1);
  if (!courseId) return;
  for (const lectureId of lectureIds.slice(0, lectures)) {
    const marked = await client.insist("POST", "/api/user/update-course-progress", { courseId, lectureId });
    if (marked?.status !== 200) return;
    scene.journal.lectures.push({ userId: id, courseId, lectureId });
  }
}

/** Completes all lectures and requests the certificate twice at once. */
export async function finish(learner: Learner): Promise<void> {
  const { scene, client, id, courses } = learner;
  const courseId = courses.at(-1);
  if (!courseId) return;
  await learn(learner, lectureIds.length);
  const generate = () => client.insist("POST", `/api/user/certificate/generate/${courseId}`, {});
  for (const made of await Promise.all([generate(), generate()])) {
    if (made?.status !== 200) continue;
    scene.journal.certificates.push({ userId: id, courseId });
  }
}

export async function track({ scene, client, id, courses }: Learner, duration: number): Promise<void> {
  const told = { page: "Learning", path: `/player/${courses.at(-1) ?? scene.freeCourse._id}`, duration };
  const done = isDone(await client.ask("POST", "/api/user/track-time", told));
  if (done !== false) scene.journal.add("seconds", id, duration, done === true);
}

export async function rate({ scene, client, id, courses }: Learner, rating: number): Promise<void> {
  const courseId = courses.at(-1);
  if (!courseId) return;
  const review = `${rating} of 5`;
  const done = isDone(await client.ask("POST", "/api/user/add-rating", { courseId, rating, review }));
  if (done !== false) scene.journal.set("rating", `${id} ${courseId}`, rating, done === true);
  const path = `/api/course/${courseId}/reviews`;
  const found = await client.ask("GET", `${path}?sort=newest&limit=2`);
  const other = found?.body.reviews?.find(({ isAuthor }: { isAuthor: boolean }) => !isAuthor);
  if (other) await client.ask("POST", `${path}/${other._id}/helpful`, {});
}

export async function takeQuiz({ scene, client, id, courses }: Learner): Promise<void> {
  const courseId = courses.at(-1);
  if (!courseId) return;
  const chapterId = "ch1";
  const quiz = await client.insist("GET", `/api/quiz/${courseId}/${chapterId}`);
  if (quiz?.status !== 200) return;
  const answers = quiz.body.quiz.questions.map((_question: unknown, n: number) => n % 4);
  const done = isDone(await client.ask("POST", "/api/quiz/submit", { courseId, chapterId, answers }));
  if (done !== false) scene.journal.add("attempts", `${id} ${courseId}`, 1, done === true);
}

export async function chat({ scene, client, id }: Learner): Promise<void> {
  const content = `What is a closure? ${scene.journal.chats.length}`;
  const done = isDone(await client.ask("POST", "/api/user/ai-chat", { content }));
  if (done) scene.journal.chats.push({ userId: id, content });
}

/** Applies as an educator and lets an administrator approve. */
export async function becomeEducator({ scene, client, administrator, id }: Learner): Promise<void> {
  const form = { professionalTitle: "Engineer", bio: "Ten years of it.", expertise: ["Data Science"] };
  await client.insist("POST", "/api/educator/apply", form);
  const status = await client.insist("GET", "/api/educator/application-status");
  const applicationId = status?.body.application?._id;
  if (!applicationId) return;
  const approved = await administrator.insist("PATCH", `/api/admin/educator-applications/${applicationId}/approve`);
  if (approved?.status === 200) scene.journal.approved.push({ userId: id });
}

export async function erase({ scene, client, id }: Learner): Promise<void> {
  scene.journal.erasing.add(id);
  const accepted = await client.insist("DELETE", "/api/user/data", { confirm: id });
  if (accepted?.status === 200) scene.journal.erased.add(id);
}
