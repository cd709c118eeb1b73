/** Builds a 1 × 1 PNG, followed by `padding` bytes that image readers ignore. */
export const png = (padding = 0): Buffer =>
  Buffer.concat([
    Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    ),
    Buffer.alloc(padding),
  ]);

export const lectureData = (fields: Record<string, unknown> = {}) => ({
  lectureId: "lec-1",
  lectureTitle: "Welcome",
  lectureDuration: "12",
  lectureUrl: "https://video.example/welcome",
  isPreviewFree: true,
  lectureOrder: 1,
  ...fields,
});

export const chapterData = (fields: Record<string, unknown> = {}) => ({
  chapterId: "ch-1",
  chapterTitle: "Start",
  chapterOrder: 1,
  collapsed: false,
  chapterContent: [lectureData()],
  ...fields,
});

/** Builds course data as the browser's editor sends them: durations as text, and an unknown field. */
export const courseData = (fields: Record<string, unknown> = {}): Record<string, unknown> => ({
  courseTitle: "Graph theory",
  courseDescription: "Vertices and **edges**.",
  coursePrice: 2499,
  discount: 20,
  isPublished: true,
  courseContent: [chapterData()],
  ...fields,
});

/** Builds the form of a course. A string as `data` is sent unchanged; null leaves out the field or the file. */
export function courseForm(
  data: unknown = courseData(),
  image: { bytes: Uint8Array; name?: string; type?: string } | null = { bytes: png() },
): FormData {
  const form = new FormData();
  if (data !== null) form.append("courseData", typeof data === "string" ? data : JSON.stringify(data));
  if (image) {
    const { bytes, name = "thumbnail.png", type = "image/png" } = image;
    form.append("image", new Blob([new Uint8Array(bytes)], { type }), name);
  }
  return form;
}
