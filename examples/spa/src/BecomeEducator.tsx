import { applyAsEducator, getOwnApplication } from "@lyceum/client";
import { useAnswer } from "./load.js";
import { FoldedForm, Pending, Title } from "./parts.js";

const statuses = {
  pending: "Your application is being looked at.",
  approved: "Your application was approved. You can teach now.",
  rejected: "Your application was rejected.",
};

/** Shows the user's application as an educator, and takes one. */
export function BecomeEducator() {
  const { data, error, again } = useAnswer(() => getOwnApplication(), "application");
  if (!data) return <Pending error={error} />;
  const { application } = data;
  return (
    <div className="narrow">
      <Title>Become an educator</Title>
      <p className="card prompt">
        {application ? statuses[application.status] : "Tell us who you are and what you teach."}{" "}
        {application?.status === "rejected" && application.rejectionReason}
      </p>
      {(!application || application.status === "rejected") && (
        <FoldedForm
          title={application ? "Apply again" : "Apply"}
          action="Send the application"
          send={async (form) => {
            const textOf = (name: string) => String(form.get(name));
            const answer = await applyAsEducator({
              body: {
                professionalTitle: textOf("title"),
                bio: textOf("bio"),
                expertise: textOf("expertise")
                  .split(",")
                  .map((topic) => topic.trim())
                  .filter(Boolean),
              },
            });
            if (answer.data) again();
            return answer;
          }}
          done={() => "Your application was sent."}
        >
          <label className="field">
            Professional title
            <input name="title" required maxLength={120} />
          </label>
          <label className="field">
            What you teach, separated by commas
            <input name="expertise" required maxLength={200} />
          </label>
          <label className="field">
            About you
            <textarea name="bio" required rows={5} maxLength={3000} />
          </label>
        </FoldedForm>
      )}
    </div>
  );
}
