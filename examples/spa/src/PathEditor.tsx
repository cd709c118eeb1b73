import { createPath, deletePath, errorCodeOf, getPath, type OwnCourse, type Path, updatePath } from "@lyceum/client";
import { useState } from "react";
import { goTo } from "./addresses.js";
import { shownAmount } from "./Catalog.js";
import { TextArea, TextField } from "./Fields.js";
import { invalidFields } from "./invalid-fields.js";
import { asViewer, useAnswer } from "./load.js";
import { PathCourses } from "./PathCourses.js";
import { PathLearners } from "./PathLearners.js";
import { FoldedForm, focusOn, Pending, Refusal, Title } from "./parts.js";

interface Props {
  /** `new`: a path that is not stored yet. */
  id: string;
  courses: OwnCourse[];
}

/** Edits one path of an educator. */
export function PathEditor({ id, courses }: Props) {
  const isNew = id === "new";
  const { data, error, again } = useAnswer(() => getPath({ path: { pathId: id }, security: asViewer }), id, !isNew);
  const path = data?.path;
  if (!path && !isNew) return <Pending error={error} />;
  return (
    <div className="narrow">
      <p className="soft">
        <a href="/educator/paths">Your learning paths</a>
      </p>
      <Title>{path?.title ?? "A new learning path"}</Title>
      {path && (
        <p>
          <a href={`/path/${path.slug}`}>See its page</a>
        </p>
      )}
      {/* Another version takes the place of what was entered. */}
      <Form key={path?.version} stored={path} courses={courses} again={again} />
      {path && <PathLearners pathId={path._id} />}
      {path && <DeleteForm path={path} />}
    </div>
  );
}

interface FormProps {
  stored: Path | undefined;
  courses: OwnCourse[];
  /** Loads the path again. */
  again: () => void;
}

function Form({ stored, courses, again }: FormProps) {
  const [draft, setDraft] = useState({
    title: stored?.title ?? "",
    subtitle: stored?.subtitle ?? null,
    description: stored?.description ?? "",
    courseIds: stored?.courses.map(({ _id }) => _id) ?? [],
    inOrder: stored?.inOrder ?? false,
    // What is typed, which may be half a number; null: not for sale.
    price: typeof stored?.price === "number" ? String(stored.price) : null,
    isPublished: stored?.isPublished ?? false,
  });
  const [version, setVersion] = useState(stored?.version);
  const [refused, setRefused] = useState<{ error: { message: string }; response?: Response }>();
  const [said, setSaid] = useState("");
  const change = (changed: Partial<typeof draft>) => {
    setSaid("");
    setRefused(undefined);
    setDraft((draft) => ({ ...draft, ...changed }));
  };
  const save = async () => {
    setSaid("");
    const body = { ...draft, price: draft.price === null ? null : Number(draft.price) };
    const answer =
      stored && version !== undefined
        ? await updatePath({ path: { pathId: stored._id }, body: { ...body, version } })
        : await createPath({ body });
    setRefused(answer.error && { error: answer.error, response: answer.response });
    if (!answer.data) return;
    const { path } = answer.data;
    if (!stored) return goTo(`/educator/paths/${path._id}`, { replace: true });
    setVersion(path.version);
    setSaid("Saved.");
  };
  const chosen = draft.courseIds.flatMap((id) => courses.find(({ _id }) => _id === id) ?? []);
  const listPrice = chosen.reduce((sum, { coursePrice, discount }) => sum + (coursePrice * (100 - discount)) / 100, 0);
  const invalid = invalidFields(refused?.response);
  return (
    <form
      className="card prompt"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextField
        {...{ invalid, path: "title", label: "Title", maxLength: 80, required: true }}
        value={draft.title}
        onText={(title) => change({ title: title ?? "" })}
      />
      <TextField
        {...{ invalid, path: "subtitle", label: "Subtitle", maxLength: 160 }}
        value={draft.subtitle}
        onText={(subtitle) => change({ subtitle })}
      />
      <TextArea
        {...{ invalid, path: "description", label: "Description, in Markdown", rows: 5, maxLength: 20_000 }}
        value={draft.description}
        onText={(description) => change({ description })}
      />
      <PathCourses
        {...{ courses, courseIds: draft.courseIds, invalid }}
        onChange={(courseIds) => change({ courseIds })}
      />
      <Check
        label="The courses open in order, each one after the one before it"
        isOn={draft.inOrder}
        onChange={(inOrder) => change({ inOrder })}
      />
      <Check label="For sale" isOn={draft.price !== null} onChange={(isOn) => change({ price: isOn ? "" : null })} />
      {draft.price !== null && (
        <TextField
          {...{ invalid, path: "price", type: "number", min: 0, step: "any" }}
          label={`Price (0: free; one by one, the courses cost ${shownAmount(listPrice)})`}
          required
          value={draft.price}
          onText={(price) => change({ price: price ?? "" })}
        />
      )}
      <Check
        label="Published: shown in the list of paths"
        isOn={draft.isPublished}
        onChange={(isPublished) => change({ isPublished })}
      />
      {refused && <Refused {...refused} again={again} drafts={chosen.filter(({ isPublished }) => !isPublished)} />}
      <p>
        <button type="submit">{stored ? "Save" : "Add the path"}</button>
      </p>
      <p role="status">{said}</p>
    </form>
  );
}

interface CheckProps {
  label: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

const Check = ({ label, isOn, onChange }: CheckProps) => (
  <label className="check field">
    <input type="checkbox" checked={isOn} onChange={({ target }) => onChange(target.checked)} />
    {label}
  </label>
);

interface RefusedProps {
  error: { message: string };
  response?: Response;
  again: () => void;
  /** Chosen courses that are not published. */
  drafts: OwnCourse[];
}

/** Says why the path was not saved, and what to do. */
function Refused({ error, response, again, drafts }: RefusedProps) {
  switch (errorCodeOf(response)) {
    case "path_changed":
      return (
        <div role="alert">
          <p>Somebody has changed this path since you opened it, so your entries are not saved.</p>
          <button
            type="button"
            className="quiet"
            onClick={({ currentTarget }) => {
              // The button leaves with the form.
              focusOn(currentTarget.closest(".narrow"));
              again();
            }}
          >
            Load the present path
          </button>
        </div>
      );
    case "unpublished_courses":
      return (
        <p role="alert">
          A published path needs published courses. Not published yet:{" "}
          {drafts.map(({ courseTitle }) => courseTitle).join(", ")}.
        </p>
      );
    default:
      return <Refusal error={error} />;
  }
}

const DeleteForm = ({ path: { _id: pathId } }: { path: Path }) => (
  <FoldedForm
    title="Delete the path"
    action="Delete it for good"
    send={async () => {
      const answer = await deletePath({ path: { pathId } });
      if (answer.data) goTo("/educator/paths");
      if (errorCodeOf(answer.response) === "path_has_learners")
        return {
          error: {
            message:
              'Somebody has or had this path, or is buying it. To hide it, take off the mark at "Published" and save.',
          },
        };
      return answer;
    }}
    done={() => ""}
  >
    <p>Its courses stay. A path that somebody has bought or got cannot be deleted.</p>
  </FoldedForm>
);
