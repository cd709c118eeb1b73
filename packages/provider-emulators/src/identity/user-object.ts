import type { User } from "./users.js";

/** Builds a user in the provider's format. The Backend API answers it, and `user.*` events carry it as `data`. */
export function userObject(user: User): Record<string, unknown> {
  const emailId = user.email === null ? null : `idn_${user.id}`;
  return {
    id: user.id,
    object: "user",
    username: user.username,
    first_name: user.firstName,
    last_name: user.lastName,
    image_url: user.imageUrl,
    has_image: user.imageUrl !== "",
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
              email_address: user.email,
              verification: {
                status: user.emailVerified ? "verified" : "unverified",
                strategy: "ticket",
                attempts: null,
                expire_at: null,
              },
              linked_to: [],
            },
          ],
    phone_numbers: [],
    web3_wallets: [],
    external_accounts: [],
    saml_accounts: [],
    passkeys: [],
    password_enabled: user.passwordEnabled,
    two_factor_enabled: false,
    totp_enabled: false,
    backup_code_enabled: false,
    external_id: user.externalId,
    public_metadata: user.publicMetadata,
    private_metadata: user.privateMetadata,
    unsafe_metadata: user.unsafeMetadata,
    banned: false,
    locked: false,
    lockout_expires_in_seconds: null,
    verification_attempts_remaining: 100,
    create_organization_enabled: true,
    delete_self_enabled: true,
    last_active_at: user.updatedAt,
    last_sign_in_at: user.updatedAt,
    created_at: user.createdAt,
    updated_at: user.updatedAt,
  };
}
