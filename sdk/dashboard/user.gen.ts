// Written by `npm run sdk:types` from the endpoints of the dashboard. Do not edit.
import type { DashboardSession, DashboardStore, DashboardUser, Passkey, PasskeyAnswer, PasskeyRegistration } from './records.gen.ts'

/** Endpoints of the signed-in user. */
export interface UserOperations {
  /** List your passkeys. */
  'passkeys.list': {
    method: 'GET'
    path: '/passkeys'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: {
      /** All passkeys, at most 20, the oldest first. */
      passkeys: Passkey[]
    }
  }
  /** Get the options with which a browser creates a passkey. They are valid for 5 minutes. */
  'passkeys.begin': {
    method: 'POST'
    path: '/passkeys/options'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: {
      /** The options to pass to the browser as `publicKey`, in their JSON form. */
      options: unknown
    }
  }
  /** Register the passkey that the browser created. */
  'passkeys.create': {
    method: 'POST'
    path: '/passkeys'
    params?: undefined
    query?: undefined
    body: {
      /** The name of the passkey, such as the device. */
      name: string
      response: PasskeyRegistration
    }
    answer: { passkey: Passkey }
  }
  /** Rename a passkey. */
  'passkeys.update': {
    method: 'PATCH'
    path: '/passkeys/{id}'
    params: {
      /** The id of the passkey. */
      id: number
    }
    query?: undefined
    body: {
      /** The name of the passkey, such as the device. */
      name: string
    }
    answer: { passkey: Passkey }
  }
  /** Delete a passkey. It can no longer sign in. */
  'passkeys.delete': {
    method: 'DELETE'
    path: '/passkeys/{id}'
    params: {
      /** The id of the passkey. */
      id: number
    }
    query?: undefined
    body?: undefined
    answer: {
      /** The id of the passkey. */
      id: number
      /** Always true. */
      deleted: boolean
    }
  }
  /** Get a challenge for any passkey of this site. It is valid for 5 minutes. */
  'passkeys.begin_sign_in': {
    method: 'POST'
    path: '/passkeys/sign-in/options'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: {
      /** The options to pass to the browser as `publicKey`, in their JSON form. */
      options: unknown
    }
  }
  /** Sign in with a passkey. No code is needed. */
  'passkeys.sign_in': {
    method: 'POST'
    path: '/passkeys/sign-in'
    params?: undefined
    query?: undefined
    body: { response: PasskeyAnswer }
    answer: { user: DashboardUser }
  }
  /** Get a challenge for your passkeys, to answer with POST /step-up. */
  'passkeys.begin_step_up': {
    method: 'POST'
    path: '/step-up/options'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: {
      /** The options to pass to the browser as `publicKey`, in their JSON form. */
      options: unknown
    }
  }
  /** Start a session and set its cookie. */
  'users.sign_in': {
    method: 'POST'
    path: '/sign-in'
    params?: undefined
    query?: undefined
    body: {
      email: string
      password: string
      /** The six digits that the authenticator app shows, or a recovery code. */
      code?: string
    }
    answer: { user: DashboardUser }
  }
  /** Create the first owner and the first store of the installation, and sign in. */
  'users.start_first_store': {
    method: 'POST'
    path: '/first-start'
    params?: undefined
    query?: undefined
    body: {
      /** The token from the link. */
      token: string
      /** Your name, as the team sees it. */
      name: string
      email: string
      password: string
      /** The name of the store that customers see. */
      store_name: string
      /** The currency of the store. It cannot be changed later. */
      currency: string
      /** `yes` also creates a second store with 90 days of sample trade. Default `"no"`. */
      demo?: 'yes' | 'no'
    }
    answer: {
      /** The id of the test side of the store. */
      store_id: string
      /** True if the demo store is created too. */
      demo: boolean
    }
  }
  /** End this session. */
  'users.sign_out': {
    method: 'POST'
    path: '/sign-out'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: Record<string, never>
  }
  /** Get the signed-in user and the stores in which the user has a role. */
  'users.me': {
    method: 'GET'
    path: '/me'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: {
      user: DashboardUser
      /** Both sides of each store. */
      stores: DashboardStore[]
      /** True for 10 minutes after the user gave a password or a passkey. */
      stepped_up: boolean
    }
  }
  /** Change your name. */
  'users.rename': {
    method: 'PATCH'
    path: '/me'
    params?: undefined
    query?: undefined
    body: {
      /** The name that is shown to the team. */
      name: string
    }
    answer: { user: DashboardUser }
  }
  /** Send a link to your new email address. The address changes when you use the link. */
  'users.request_email': {
    method: 'POST'
    path: '/email-changes'
    params?: undefined
    query?: undefined
    body: {
      /** The new address to sign in with. */
      email: string
    }
    answer: {
      /** The new address. */
      email: string
      /** The link if it could not be mailed; null if it was mailed. */
      url: string | null
    }
  }
  /** Change your email address with the token from the link, and tell the former address. */
  'users.confirm_email': {
    method: 'POST'
    path: '/email-changes/confirm'
    params?: undefined
    query?: undefined
    body: {
      /** The token from the link. */
      token: string
    }
    answer: { user: DashboardUser }
  }
  /** List the user's sessions, newest first. */
  'users.list_sessions': {
    method: 'GET'
    path: '/sessions'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: {
      /** The sessions that have not ended, at most 100. */
      sessions: DashboardSession[]
    }
  }
  /** End one of your sessions. */
  'users.end_session': {
    method: 'DELETE'
    path: '/sessions/{id}'
    params: {
      /** The id of the session. */
      id: number
    }
    query?: undefined
    body?: undefined
    answer: {
      /** The id of the session. */
      id: number
      /** Always true. */
      deleted: boolean
    }
  }
  /**
   * Confirm the password or a passkey. For 10 minutes the session can then change keys and the
   * team.
   */
  'users.step_up': {
    method: 'POST'
    path: '/step-up'
    params?: undefined
    query?: undefined
    body: { password?: string; passkey?: PasskeyAnswer }
    answer: Record<string, never>
  }
  /** Set or change your password, and end your other sessions. */
  'users.set_password': {
    method: 'POST'
    path: '/password'
    params?: undefined
    query?: undefined
    body: {
      password: string
      /**
       * The current password. Omit it if the user has none, or after a sign-in with a reset link.
       */
      current_password?: string
    }
    answer: Record<string, never>
  }
  /** Mail a link for a new password. The answer is the same for every address. */
  'users.ask_reset': {
    method: 'POST'
    path: '/password-resets'
    params?: undefined
    query?: undefined
    body: { email: string }
    answer: Record<string, never>
  }
  /** Set a new password with the token from the mail, and sign in. */
  'users.confirm_reset': {
    method: 'POST'
    path: '/password-resets/confirm'
    params?: undefined
    query?: undefined
    body: {
      /** The token from the link. */
      token: string
      password: string
      /** The six digits that the authenticator app shows, or a recovery code. */
      code?: string
    }
    answer: {
      /** The passkeys of the user, which still sign in. Delete those you do not know. */
      passkeys: Passkey[]
    }
  }
  /** Get a secret for an authenticator app. It takes effect when a code is confirmed. */
  'users.begin_totp': {
    method: 'POST'
    path: '/totp'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: {
      /** The secret in base32, for an authenticator app that cannot scan the URI. */
      secret: string
      /** The `otpauth` URL to show as a QR code. */
      otpauth_url: string
    }
  }
  /** Turn codes on, and get the recovery codes. They are shown once. */
  'users.confirm_totp': {
    method: 'POST'
    path: '/totp/confirm'
    params?: undefined
    query?: undefined
    body: {
      /** The six digits that the authenticator app shows, or a recovery code. */
      code: string
    }
    answer: {
      /** Recovery codes. Each can replace a code once. */
      recovery_codes: string[]
    }
  }
  /** Turn codes off, and delete the recovery codes. */
  'users.disable_totp': {
    method: 'DELETE'
    path: '/totp'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: Record<string, never>
  }
  /** Get the store and the role of an invitation. */
  'users.find_invitation': {
    method: 'POST'
    path: '/invitations/find'
    params?: undefined
    query?: undefined
    body: {
      /** The token from the link. */
      token: string
    }
    answer: {
      /** The name of the store. */
      store: string
      /** The invited address. */
      email: string
      /**
       * The role. `owner` and `admin` may change everything, but only owners manage owners; `staff`
       * changes orders and support; `viewer` only reads.
       */
      role: 'owner' | 'admin' | 'staff' | 'viewer'
      /** True if a user with this address exists. */
      has_account: boolean
    }
  }
  /** Accept an invitation, as a new user or as the invited user who is signed in. */
  'users.accept_invitation': {
    method: 'POST'
    path: '/invitations/accept'
    params?: undefined
    query?: undefined
    body: {
      /** The token from the link. */
      token: string
      /** Your name. Required for a new user. */
      name?: string
      /** Your password. Required for a new user. */
      password?: string
    }
    answer: {
      /** The id of the live side of the store. */
      store_id: string
    }
  }
}
