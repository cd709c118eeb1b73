import { downloadResource, type EnrolledLecture, getLecture, type LectureBlock } from "@lyceum/client";
import { useState } from "react";
import { useAnswer } from "./load.js";
import { Html } from "./Markdown.js";
import { Pending, Refusal, shownDate } from "./parts.js";

/** Loads and shows the content of a lecture. */
export function Lesson({ courseId, lectureId }: { courseId: string; lectureId: string }) {
  const { data, error } = useAnswer(() => getLecture({ path: { courseId, lectureId } }), lectureId);
  const lecture = data?.lecture;
  if (!lecture) return error ? <Refusal error={error} /> : <Pending error={error} />;
  if (lecture.opensAt) return <p className="card prompt">This lesson opens on {shownDate(lecture.opensAt)}.</p>;
  return <LessonContent courseId={courseId} lecture={lecture} />;
}

/** `resources` is absent in a free preview, because only learners download files. */
type Content = Pick<EnrolledLecture, "lectureTitle" | "lectureUrl"> &
  Partial<Pick<EnrolledLecture, "blocks" | "resources">>;
interface ContentProps {
  courseId: string;
  lecture: Content;
}

/** Shows the film of a lecture and its blocks. */
export const LessonContent = ({ courseId, lecture }: ContentProps) => (
  <div className="lesson">
    {lecture.lectureUrl && <Film address={lecture.lectureUrl} title={lecture.lectureTitle} />}
    {lecture.blocks?.map((block, index) => (
      <Block key={index} courseId={courseId} lecture={lecture} block={block} />
    ))}
  </div>
);

function Block({ courseId, lecture, block }: ContentProps & { block: LectureBlock }) {
  switch (block.kind) {
    case "text":
      return <Html html={block.html} />;
    case "video":
      return <Film address={block.url} title={lecture.lectureTitle} captions={block.captions} />;
    case "embed":
      return <iframe src={block.url} title={lecture.lectureTitle} allowFullScreen />;
    case "quiz":
      return (
        <p className="card prompt row">
          <strong>How much do you remember?</strong>
          <a className="button" href={`/assessment/${courseId}/${block.chapterId}`}>
            Open the assessment
          </a>
        </p>
      );
    case "file": {
      const file = lecture.resources?.find(({ resourceId }) => resourceId === block.resourceId);
      return file ? <File courseId={courseId} file={file} /> : null;
    }
  }
}

type Captions = NonNullable<Extract<LectureBlock, { kind: "video" }>["captions"]>[number];

/** Plays a file. It links to a page of a video site. */
function Film({ address, title, captions = [] }: { address: string; title: string; captions?: Captions[] }) {
  if (!/\.(mp4|webm)$/.test(address)) return <a href={address}>Watch {title}</a>;
  return (
    // biome-ignore lint/a11y/useMediaCaption: the captions that the lecture has
    <video src={address} controls crossOrigin="anonymous" aria-label={title}>
      {captions.map(({ language, url }) => (
        <track key={language} kind="captions" src={url} srcLang={language} label={language} />
      ))}
    </video>
  );
}

/** Downloads a file by a request with the learner's token, because a plain link sends none. */
function File({ courseId, file }: { courseId: string; file: EnrolledLecture["resources"][number] }) {
  const [refused, setRefused] = useState<{ message: string }>();
  const save = async () => {
    const { resourceId } = file;
    const { data, error } = await downloadResource({ path: { courseId, resourceId }, parseAs: "blob" });
    setRefused(error);
    if (data) saveAs(data as Blob, file.name);
  };
  return (
    <p>
      <button type="button" className="quiet" onClick={save}>
        Download {file.name} <span className="soft">({Math.ceil(file.size / 1000)} kB)</span>
      </button>
      <Refusal error={refused} />
    </p>
  );
}

/** Hands a file to the browser's downloads. */
export function saveAs(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  // Some browsers begin to read the file after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
