import type { Person } from "./people.js";

/** A person in the provider's own words: what the Backend API answers and what `user.*` events carry as `data`. */
export function userObject(person: Person): Record<string, unknown> {
  const emailId = person.email === null ? null : `idn_${person.id}`;
  return {
    id: person.id,
    object: "user",
    username: null,
    first_name: person.firstName,
    last_name: person.lastName,
    image_url: person.imageUrl,
    has_image: person.imageUrl !== "",
    primary_email_address_id: emailId,
    primary_phone_number_id: null,
    primary_web3_wallet_id: null,
    email_addresses:
      emailId === null
        ? []
        : [
            {
              id: emailId,
              object: "email_address",
              email_address: person.email,
              verification: { status: "verified", strategy: "ticket", attempts: null, expire_at: null },
              linked_to: [],
            },
          ],
    phone_numbers: [],
    web3_wallets: [],
    external_accounts: [],
    saml_accounts: [],
    passkeys: [],
    password_enabled: false,
    two_factor_enabled: false,
    totp_enabled: false,
    backup_code_enabled: false,
    external_id: null,
    public_metadata: person.publicMetadata,
    private_metadata: person.privateMetadata,
    unsafe_metadata: person.unsafeMetadata,
    banned: false,
    locked: false,
    lockout_expires_in_seconds: null,
    verification_attempts_remaining: 100,
    create_organization_enabled: true,
    delete_self_enabled: true,
    last_active_at: person.updatedAt,
    last_sign_in_at: person.updatedAt,
    created_at: person.createdAt,
    updated_at: person.updatedAt,
  };
}
