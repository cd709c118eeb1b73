import { followNotifications, listNotifications, type Notification, readNotifications } from "@lyceum/client";
import { useEffect, useState } from "react";
import { usePages } from "./load.js";
import { Markdown } from "./Markdown.js";
import { count, focusOn, More, Refusal, shownMoment, Title } from "./parts.js";

/** Mailbox of the development server, which shows every mail. */
const mailbox = import.meta.env.DEV ? import.meta.env.VITE_CONSOLE_URL : undefined;

/** Milliseconds without a new notice until the number is loaded, so that many at once cost one request. */
const burstMs = 300;

/** Keeps the number of unread notices of a user. `arrived` grows when new ones have come. */
export function useNotices(userId: string | null | undefined) {
  const [unread, setUnread] = useState(0);
  const [arrived, setArrived] = useState(0);
  useEffect(() => {
    setUnread(0);
    if (!userId) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const look = async () => {
      const { data } = await listNotifications({ query: { limit: 1 }, signal });
      if (data) setUnread(data.unread);
    };
    const follow = async () => {
      let timer = 0;
      for await (const _notice of followNotifications({ signal })) {
        clearTimeout(timer);
        timer = setTimeout(() => {
          setArrived((number) => number + 1);
          void look();
        }, burstMs);
      }
    };
    void look();
    // Another tab may have read some.
    addEventListener("focus", look, { signal });
    // Without a stream the number is that of the last load.
    void follow().catch(() => undefined);
    return () => leaving.abort();
  }, [userId]);
  return { unread, arrived, setUnread };
}

/** Links the list of notices, and says how many are unread. */
export const Bell = ({ unread, isHere }: { unread: number; isHere: boolean }) => (
  <>
    <a
      className="bell"
      href="/notices"
      aria-current={isHere ? "page" : undefined}
      aria-label={unread > 0 ? `Notifications, ${unread} unread` : "Notifications"}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M12 3a6 6 0 0 0-6 6v4l-2 3h16l-2-3V9a6 6 0 0 0-6-6Zm-2.5 16a2.5 2.5 0 0 0 5 0" />
      </svg>
      {unread > 0 && <span className="count">{unread > 99 ? "99+" : unread}</span>}
    </a>
    <span className="unseen" role="status">
      {unread > 0 && count(unread, "unread notification")}
    </span>
  </>
);

/** Lists the notices of the user, newest first. New ones appear by themselves. */
export function Notices({ notices }: { notices: ReturnType<typeof useNotices> }) {
  const { unread, arrived, setUnread } = notices;
  const [isUnread, setIsUnread] = useState(false);
  const [refused, setRefused] = useState<{ message: string }>();
  const list = usePages(
    (after, signal) =>
      listNotifications({ query: { unread: isUnread ? "true" : "false", limit: 20, ...after }, signal }),
    ({ notifications }) => notifications,
    `${isUnread} ${arrived}`,
  );
  /** Marks one notice, or all without an id. */
  const read = async (id?: string) => {
    const { data, error } = await readNotifications({ body: id ? { ids: [id] } : {} });
    setRefused(error);
    if (!data) return;
    setUnread(data.unread);
    list.setRows((notice) => (id && notice._id !== id ? notice : { ...notice, readAt: notice.readAt ?? "now" }));
  };
  return (
    <div className="narrow">
      <Title>Notifications</Title>
      <div className="row spread">
        <label className="check">
          <input type="checkbox" checked={isUnread} onChange={({ target }) => setIsUnread(target.checked)} /> Only
          unread
        </label>
        <button type="button" className="quiet" aria-disabled={unread === 0} onClick={() => unread > 0 && read()}>
          Mark all as read
        </button>
      </div>
      <Refusal error={list.error ?? refused} />
      {list.reply && list.rows.length === 0 && (
        <p className="card prompt">{isUnread ? "You have read everything." : "Nothing has happened yet."}</p>
      )}
      <ul className="card lines notices" aria-busy={list.isBusy}>
        {list.rows.map((notice) => (
          <Notice key={notice._id} notice={notice} read={() => read(notice._id)} />
        ))}
      </ul>
      <More list={list}>Older notifications</More>
      <p className="row">
        <a href="/notices/preferences">Notification settings</a>
        {mailbox && <a href={`${mailbox}/#mailbox`}>Mailbox of the development console</a>}
      </p>
    </div>
  );
}

function Notice({ notice, read }: { notice: Notification; read: () => void }) {
  const { type, title, body, link, createdAt, readAt } = notice;
  const isNew = readAt === null;
  return (
    <li className={isNew ? "new" : undefined}>
      <h2>
        {isNew && <span className="unseen">Unread: </span>}
        {link ? (
          <a href={link} onClick={isNew ? read : undefined}>
            {title}
          </a>
        ) : (
          title
        )}{" "}
        {notice.count > 1 && <span className="badge">{notice.count} times</span>}
      </h2>
      {type === "announcement" ? <Markdown text={body} /> : <p>{body}</p>}
      <p className="row soft">
        <time dateTime={createdAt}>{shownMoment(createdAt)}</time>
        {isNew && (
          <button
            type="button"
            className="plain"
            onClick={({ currentTarget }) => {
              focusOn(currentTarget.closest("li"));
              read();
            }}
          >
            Mark as read<span className="unseen">: {title}</span>
          </button>
        )}
      </p>
    </li>
  );
}
