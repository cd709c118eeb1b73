/** Addresses of the frontend that notices lead to, as the example frontend has them. */
export const frontendLinks = (origin: string) => ({
  course: (courseId: unknown) => `${origin}/#course/${courseId}`,
  lectures: (courseId: unknown) => `${origin}/#learn/${courseId}`,
  learnersOf: (courseId: unknown) => `${origin}/#teach/${courseId}`,
  teaching: `${origin}/#teach`,
  ownCourses: `${origin}/#mine`,
  post: (postId: unknown) => `${origin}/#community/${postId}`,
});

export type FrontendLinks = ReturnType<typeof frontendLinks>;
