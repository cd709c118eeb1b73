/**
 * An account as the emulator's `/dev/users` returns it.
 *
 * @typedef {{ id: string, firstName: string | null, lastName: string | null, email: string | null,
 *   emailVerified: boolean, imageUrl: string, publicMetadata: Record<string, unknown>,
 *   unsafeMetadata: Record<string, unknown>, createdAt: number, updatedAt: number }} Account
 */

/**
 * Builds the provider's user object.
 * @param {Account} account
 * @param {() => Promise<void>} reload
 */
export function createUser(account, reload) {
  const { id, firstName, lastName, email, emailVerified, imageUrl, publicMetadata, unsafeMetadata } = account;
  const emailId = `idn_${id}`;
  const verification = { status: emailVerified ? "verified" : "unverified" };
  const primaryEmailAddress = email === null ? null : { id: emailId, emailAddress: email, verification };
  return {
    id,
    firstName,
    lastName,
    fullName: [firstName, lastName].filter(Boolean).join(" ") || null,
    username: null,
    imageUrl,
    hasImage: imageUrl !== "",
    primaryEmailAddress,
    primaryEmailAddressId: primaryEmailAddress?.id ?? null,
    emailAddresses: primaryEmailAddress ? [primaryEmailAddress] : [],
    primaryPhoneNumber: null,
    phoneNumbers: [],
    externalAccounts: [],
    organizationMemberships: [],
    publicMetadata,
    unsafeMetadata,
    createdAt: new Date(account.createdAt),
    updatedAt: new Date(account.updatedAt),
    lastSignInAt: new Date(account.updatedAt),
    reload,
  };
}

/** @typedef {ReturnType<typeof createUser>} User */
