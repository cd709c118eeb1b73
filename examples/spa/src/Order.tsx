import { type ReactNode, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { focusOn } from "./parts.js";

interface Props {
  items: { id: string; shown: ReactNode }[];
  ids: string[];
  change: (ids: string[]) => void;
  /** Whether items can be taken off the list. */
  canRemove?: boolean;
}

/** Puts items in order by drag, or with two buttons for each. It says where a moved item is now. */
export function Order({ items, ids, change, canRemove = false }: Props) {
  const [said, setSaid] = useState<ReactNode>();
  const [dragged, setDragged] = useState<string>();
  const [target, setTarget] = useState<string>();
  const list = useRef<HTMLOListElement>(null);
  const prefix = useId();
  const shownOf = (id: string) => items.find((item) => item.id === id)?.shown;
  const move = (id: string, to: number) => {
    if (to < 0 || to >= ids.length) return;
    change(ids.filter((other) => other !== id).toSpliced(to, 0, id));
    setSaid(
      <>
        {shownOf(id)} is now {to + 1} of {ids.length}
      </>,
    );
  };
  const remove = (id: string) => {
    flushSync(() => {
      change(ids.filter((other) => other !== id));
      setSaid(<>{shownOf(id)} is off the list</>);
    });
    focusOn(list.current);
  };
  return (
    <>
      <ol className="order" ref={list}>
        {ids.map((id, at) => (
          <li
            key={id}
            draggable
            className={dragged && target === id ? (ids.indexOf(dragged) < at ? "below" : "above") : undefined}
            onDragStart={({ dataTransfer }) => {
              dataTransfer.setData("text/plain", "");
              setDragged(id);
            }}
            onDragOver={(event) => {
              if (dragged === undefined) return;
              // Without it, nothing can be dropped here.
              event.preventDefault();
              setTarget(id === dragged ? undefined : id);
            }}
            onDrop={(event) => {
              event.preventDefault();
              if (dragged !== undefined && dragged !== id) move(dragged, at);
            }}
            onDragEnd={() => {
              setDragged(undefined);
              setTarget(undefined);
            }}
          >
            <span id={`${prefix}${id}`}>{shownOf(id)}</span>
            {[-1, 1].map((step) => (
              <button
                key={step}
                type="button"
                className="quiet arrow"
                id={`${prefix}${id}${step}`}
                aria-label={step < 0 ? "Move up" : "Move down"}
                aria-labelledby={`${prefix}${id}${step} ${prefix}${id}`}
                // A disabled button would lose the focus.
                aria-disabled={ids[at + step] === undefined}
                onClick={() => move(id, at + step)}
              >
                {step < 0 ? "↑" : "↓"}
              </button>
            ))}
            {canRemove && (
              <button
                type="button"
                className="quiet arrow"
                id={`${prefix}${id}x`}
                aria-label="Remove"
                aria-labelledby={`${prefix}${id}x ${prefix}${id}`}
                onClick={() => remove(id)}
              >
                ×
              </button>
            )}
          </li>
        ))}
      </ol>
      <p role="status" className="unseen">
        {said}
      </p>
    </>
  );
}
