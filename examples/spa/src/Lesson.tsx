import { downloadResource, type EnrolledLecture, getLecture, type LectureBlock } from "@lyceum/client";
import { useState } from "react";
import { Refusal, useAnswer } from "./load.js";

interface Props {
  courseId: string;
  lectureId: string;
  /** Completes the lecture. */
  finish: () => Promise<void>;
}

/** Shows a lecture: its film, its blocks, and the button that completes it. */
export function Lesson({ courseId, lectureId, finish }: Props) {
  const { data, error } = useAnswer(() => getLecture({ path: { courseId, lectureId } }), lectureId);
  const lecture = data?.lecture;
  if (!lecture) return <Refusal error={error} />;
  if (lecture.opensAt) return <p>This lesson opens on {new Date(lecture.opensAt).toLocaleDateString()}.</p>;
  return (
    <article>
      <h2>{lecture.lectureTitle}</h2>
      {lecture.lectureUrl && <Film address={lecture.lectureUrl} title={lecture.lectureTitle} />}
      {lecture.blocks.map((block, index) => (
        <Block key={index} courseId={courseId} block={block} lecture={lecture} />
      ))}
      <p>
        <button type="button" onClick={finish}>
          Lecture is done
        </button>
      </p>
    </article>
  );
}

function Block({ courseId, block, lecture }: { courseId: string; block: LectureBlock; lecture: EnrolledLecture }) {
  switch (block.kind) {
    case "text":
      // The server has sanitised it.
      return <div className="prose" dangerouslySetInnerHTML={{ __html: block.html }} />;
    case "video":
      return <Film address={block.url} title={lecture.lectureTitle} captions={block.captions} />;
    case "embed":
      return <iframe src={block.url} title={lecture.lectureTitle} allowFullScreen />;
    case "quiz":
      return <a href={`#assessment/${courseId}/${block.chapterId}`}>Open the assessment</a>;
    case "file": {
      const file = lecture.resources.find(({ resourceId }) => resourceId === block.resourceId);
      return file ? <File courseId={courseId} file={file} /> : null;
    }
  }
}

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

type Captions = NonNullable<Extract<LectureBlock, { kind: "video" }>["captions"]>[number];

/** Downloads a file with the learner's token. The server redirects to an address that works for ten minutes. */
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
        Download {file.name} ({Math.ceil(file.size / 1000)} kB)
      </button>
      <Refusal error={refused} />
    </p>
  );
}

/** Hands a file to the browser's downloads. */
export function saveAs(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}
