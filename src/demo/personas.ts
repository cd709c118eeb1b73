import { type DemoUserId, demoUsers } from "./users.js";

/** A user of the demo data in a state worth looking at. */
export interface Persona {
  readonly id: DemoUserId;
  readonly name: string;
  readonly state: string;
  readonly about: string;
}

const states: readonly Omit<Persona, "name">[] = [
  { id: "user_demo_kofi", state: "new learner", about: "Has signed up and bought nothing yet." },
  { id: "user_demo_yuki", state: "half-way learner", about: "Is within three courses; one purchase waits for money." },
  { id: "user_demo_asha", state: "finished learner", about: "Has completed two courses and holds their certificates." },
  { id: "user_demo_meera", state: "educator", about: "Has published courses, with sales and ratings." },
  { id: "user_demo_ravi", state: "applicant", about: "Has applied as an educator; the decision is open." },
  { id: "user_demo_nina", state: "refunded learner", about: "Was refunded for one course and is within two others." },
  { id: "user_demo_admin", state: "admin", about: "Decides applications, reports and refunds." },
];

export const personas: readonly Persona[] = states.map((persona) => {
  const user = demoUsers.find(({ id }) => id === persona.id);
  return { ...persona, name: `${user?.firstName} ${user?.lastName}` };
});
