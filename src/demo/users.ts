interface NamedUser {
  /** Fixed, so that tokens can be issued and kept in notes and scripts. */
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role?: "educator" | "admin";
}

/** One account of the demo data, as the identity provider has it. */
export interface DemoUser extends NamedUser {
  readonly email: string;
  readonly imageUrl: string;
}

const named = [
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
] as const satisfies readonly NamedUser[];

export type DemoUserId = (typeof named)[number]["id"];

export const demoUsers: readonly DemoUser[] = named.map((user, i) => ({
  ...user,
  email: `${user.id.slice("user_demo_".length)}@lyceum.example`,
  imageUrl: avatar(user.firstName, i),
}));

/**
 * Creates the demo users in the identity emulator too, so that its later events, of a new role for example, agree with
 * the demo data. May be repeated.
 */
export async function registerDemoUsers(identity: {
  createUser(user: DemoUser & { webhook: boolean }): Promise<unknown>;
}): Promise<void> {
  for (const user of demoUsers) await identity.createUser({ ...user, webhook: false });
}

/** A coloured disc with an initial, as a picture that loads without any network. */
function avatar(name: string, index: number): string {
  const hue = (index * 47) % 360;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><circle cx="48" cy="48" r="48" fill="hsl(${hue} 55% 42%)"/><text x="48" y="63" font-family="sans-serif" font-size="44" fill="#fff" text-anchor="middle">${[...name][0] ?? ""}</text></svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}
