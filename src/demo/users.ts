/** An account of the demo data, as the identity provider stores it. */
export interface DemoUser {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role?: "educator" | "admin";
  readonly email: string;
  readonly imageUrl: string;
}

/** The ids are fixed, so that notes and scripts can keep tokens of these users. */
const accounts: readonly Omit<DemoUser, "email" | "imageUrl">[] = [
  { id: "user_demo_admin", firstName: "Anjali", lastName: "Deshmukh", role: "admin" },
  { id: "user_demo_meera", firstName: "Meera", lastName: "Iyer", role: "educator" },
  { id: "user_demo_tomas", firstName: "Tomás", lastName: "Ferreira", role: "educator" },
  { id: "user_demo_grace", firstName: "Grace", lastName: "Okafor", role: "educator" },
  { id: "user_demo_asha", firstName: "Asha", lastName: "Rao" },
  { id: "user_demo_devi", firstName: "देवी", lastName: "शर्मा" },
  { id: "user_demo_liam", firstName: "Liam", lastName: "Murphy" },
  { id: "user_demo_yuki", firstName: "Yuki", lastName: "Tanaka" },
  { id: "user_demo_sara", firstName: "Sara", lastName: "Lindqvist" },
  { id: "user_demo_omar", firstName: "Omar", lastName: "Haddad" },
  { id: "user_demo_nina", firstName: "Nina", lastName: "Kowalska" },
  { id: "user_demo_ravi", firstName: "Ravi", lastName: "Menon" },
  { id: "user_demo_kofi", firstName: "Kofi", lastName: "Mensah" },
];

export const demoUsers: readonly DemoUser[] = accounts.map((user, i) => ({
  ...user,
  email: `${user.id.slice("user_demo_".length)}@lyceum.example`,
  imageUrl: drawAvatar(user.firstName, i),
}));

/** Draws an initial on a coloured disc. A data URL needs no network. */
function drawAvatar(name: string, index: number): string {
  const hue = (index * 47) % 360;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><circle cx="48" cy="48" r="48" fill="hsl(${hue} 55% 42%)"/><text x="48" y="63" font-family="sans-serif" font-size="44" fill="#fff" text-anchor="middle">${[...name][0] ?? ""}</text></svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}

/** A demo user whom the console offers for sign-in. */
export interface Persona {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly about: string;
}

const states: Readonly<Record<string, readonly [state: string, about: string]>> = {
  user_demo_kofi: ["new learner", "Has signed up and bought nothing yet."],
  user_demo_yuki: ["halfway learner", "Is partway through three courses; one purchase is unpaid."],
  user_demo_asha: [
    "finished learner",
    "Has completed two courses, holds their certificates and has passed an assessment.",
  ],
  user_demo_meera: ["educator", "Has published courses, with sales, ratings, learners and a gradebook."],
  user_demo_ravi: ["applicant", "Has applied as an educator; the decision is open."],
  user_demo_nina: ["refunded learner", "Was refunded for one course and is partway through two others."],
  user_demo_admin: ["admin", "Decides applications, reports and refunds."],
};

export const personas: readonly Persona[] = Object.entries(states).flatMap(([id, [state, about]]) => {
  const user = demoUsers.find((candidate) => candidate.id === id);
  return user ? [{ id, name: `${user.firstName} ${user.lastName}`, state, about }] : [];
});
