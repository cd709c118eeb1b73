import { type GetPreferencesResponse, getPreferences, setPreferences } from "@lyceum/client";
import { useEffect, useState } from "react";
import { useAnswer } from "./load.js";
import { Pending, Refusal, Title } from "./parts.js";

type Preferences = GetPreferencesResponse["preferences"];

const types: Record<keyof Preferences, string> = {
  announcement: "An educator writes to the learners of your course",
  access_ends_soon: "Your access to a course ends soon",
  certificate_issued: "Your certificate is ready",
  certificate_reissued: "Your certificate is issued again",
  certificate_revoked: "Your certificate is revoked",
  certificate_expires_soon: "Your certificate ends soon",
  purchase_receipt: "You have bought a course or a path (always by mail)",
  purchase_refunded: "Your payment is paid back (always by mail)",
  reply_to_post: "Somebody replies to your post",
  reply_accepted: "Your reply is accepted as the answer",
  post_upvoted: "Your post is upvoted",
  application_decided: "Your application to teach is decided",
  new_student: "You teach, and a learner joins your course",
  review_written: "You teach, and a learner rates your course",
  webhook_disabled: "Your webhook is switched off",
};
const channels = { app: "Here", mail: "By mail" };

/** Lets the user choose what to be told of. Each change is stored at once. */
export function Preferences() {
  const { data, error } = useAnswer(() => getPreferences(), "preferences");
  const [preferences, setShown] = useState<Preferences>();
  const [said, setSaid] = useState("");
  const [refused, setRefused] = useState<{ message: string }>();
  useEffect(() => setShown(data?.preferences), [data]);
  if (!preferences) return <Pending error={error} />;
  const change = async (type: keyof Preferences, channel: keyof typeof channels, isOn: boolean) => {
    setSaid("");
    setShown({ ...preferences, [type]: { ...preferences[type], [channel]: isOn } });
    const { data, error } = await setPreferences({ body: { preferences: { [type]: { [channel]: isOn } } } });
    setRefused(error);
    setShown(data?.preferences ?? preferences);
    if (data) setSaid("Saved.");
  };
  return (
    <div className="narrow">
      <p className="soft">
        <a href="/notices">Notifications</a>
      </p>
      <Title>Notification settings</Title>
      <Refusal error={refused} />
      <table className="card preferences">
        <thead>
          <tr>
            <th scope="col">When</th>
            {Object.values(channels).map((text) => (
              <th key={text} scope="col">
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Object.entries(types).map(([name, text]) => {
            const type = name as keyof Preferences;
            return (
              <tr key={type}>
                <th scope="row">{text}</th>
                {Object.entries(channels).map(([channel, where]) => (
                  <td key={channel}>
                    <input
                      type="checkbox"
                      aria-label={`${text}: ${where.toLowerCase()}`}
                      checked={preferences[type][channel as keyof typeof channels]}
                      // Receipts and refunds always come by mail.
                      disabled={type === "purchase_receipt" || type === "purchase_refunded"}
                      onChange={({ target }) => change(type, channel as keyof typeof channels, target.checked)}
                    />
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
      <p role="status">{said}</p>
    </div>
  );
}
