import type { OwnCourse } from "@lyceum/client";
import { useRef } from "react";
import type { InvalidFields } from "./invalid-fields.js";
import { Order } from "./Order.js";

const maxCourses = 20;

interface Props {
  /** All courses of the educator. */
  courses: OwnCourse[];
  /** Those of the path, in order. */
  courseIds: string[];
  invalid: InvalidFields;
  onChange: (courseIds: string[]) => void;
}

/** Chooses the courses of a path, and puts them in order. */
export function PathCourses({ courses, courseIds, invalid, onChange }: Props) {
  const added = useRef<HTMLSelectElement>(null);
  const others = courses.filter(({ _id }) => !courseIds.includes(_id));
  const canAdd = others.length > 0 && courseIds.length < maxCourses;
  const add = () => added.current?.value && onChange([...courseIds, added.current.value]);
  return (
    <fieldset>
      <legend>Courses, 2 to {maxCourses}</legend>
      <Order
        items={courses.map(({ _id, courseTitle, isPublished }) => ({
          id: _id,
          shown: (
            <>
              {courseTitle} {!isPublished && <span className="badge">Draft</span>}
            </>
          ),
        }))}
        ids={courseIds}
        change={onChange}
        canRemove
      />
      {invalid.courseIds && <p className="invalid">Not accepted: {invalid.courseIds}</p>}
      <div className="row adds">
        <select aria-label="Course to add" ref={added} disabled={others.length === 0}>
          {others.map(({ _id, courseTitle }) => (
            <option key={_id} value={_id}>
              {courseTitle}
            </option>
          ))}
        </select>
        <button type="button" className="quiet" aria-disabled={!canAdd} onClick={canAdd ? add : undefined}>
          Add the course
        </button>
      </div>
    </fieldset>
  );
}
