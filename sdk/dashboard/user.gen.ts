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
      /** The oldest first; at most 20. */
      passkeys: Passkey[]
    }
  }
  /** Get the options with which a browser creates a passkey; they are valid for 5 minutes. */
  'passkeys.begin': {
    method: 'POST'
    path: '/passkeys/options'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: {
      /** Pass it to the browser, as `publicKey` in its JSON form. */
      options: unknown
    }
  }
  /** Add the passkey that the browser made. */
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
      /** Passkey id. */
      id: number
    }
    query?: undefined
    body: {
      /** The name of the passkey, such as the device. */
      name: string
    }
    answer: { passkey: Passkey }
  }
  /** Delete a passkey; it signs in no more. */
  'passkeys.delete': {
    method: 'DELETE'
    path: '/passkeys/{id}'
    params: {
      /** Passkey id. */
      id: number
    }
    query?: undefined
    body?: undefined
    answer: {
      /** Passkey id. */
      id: number
      /** Always true. */
      deleted: true
    }
  }
  /** Get a challenge for any passkey of this site; it is valid for 5 minutes. */
  'passkeys.begin_sign_in': {
    method: 'POST'
    path: '/passkeys/sign-in/options'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: {
      /** Pass it to the browser, as `publicKey` in its JSON form. */
      options: unknown
    }
  }
  /** Sign in with a passkey; no code is asked for. */
  'passkeys.sign_in': {
    method: 'POST'
    path: '/passkeys/sign-in'
    params?: undefined
    query?: undefined
    body: { response: PasskeyAnswer }
    answer: { user: DashboardUser }
  }
  /** Get a challenge for your passkeys, for POST /step-up. */
  'passkeys.begin_step_up': {
    method: 'POST'
    path: '/step-up/options'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: {
      /** Pass it to the browser, as `publicKey` in its JSON form. */
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
      /** Six digits of the authenticator app, or a recovery code. */
      code?: string
    }
    answer: { user: DashboardUser }
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
  /** Get the signed-in user and the stores with a role. */
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
      /** True for 10 minutes after a password was given. */
      stepped_up: boolean
    }
  }
  /** List the user's sessions, the newest first. */
  'users.list_sessions': {
    method: 'GET'
    path: '/sessions'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: {
      /** At most 100. */
      sessions: DashboardSession[]
    }
  }
  /** End one of your sessions. */
  'users.end_session': {
    method: 'DELETE'
    path: '/sessions/{id}'
    params: {
      /** Session id. */
      id: number
    }
    query?: undefined
    body?: undefined
    answer: {
      /** Session id. */
      id: number
      /** Always true. */
      deleted: true
    }
  }
  /** Give the password or a passkey again; for 10 minutes keys and the team can be changed. */
  'users.step_up': {
    method: 'POST'
    path: '/step-up'
    params?: undefined
    query?: undefined
    body: { password?: string; passkey?: PasskeyAnswer }
    answer: Record<string, never>
  }
  /** Set or change your password; ends your other sessions. */
  'users.set_password': {
    method: 'POST'
    path: '/password'
    params?: undefined
    query?: undefined
    body: {
      password: string
      /** The password until now; left out if there is none, or after a reset link. */
      current_password?: string
    }
    answer: Record<string, never>
  }
  /** Mail a link for a new password; the answer is the same for every address. */
  'users.ask_reset': {
    method: 'POST'
    path: '/password-resets'
    params?: undefined
    query?: undefined
    body: { email: string }
    answer: Record<string, never>
  }
  /** Set a new password with the token of the mail, and sign in. */
  'users.confirm_reset': {
    method: 'POST'
    path: '/password-resets/confirm'
    params?: undefined
    query?: undefined
    body: {
      /** The token in the link. */
      token: string
      password: string
      /** Six digits of the authenticator app, or a recovery code. */
      code?: string
    }
    answer: Record<string, never>
  }
  /** Get a secret for an authenticator app; it counts after a code was confirmed. */
  'users.begin_totp': {
    method: 'POST'
    path: '/totp'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: {
      /** The secret in base32, to type in. */
      secret: string
      /** The address for a QR code. */
      otpauth_url: string
    }
  }
  /** Switch codes on, and get the recovery codes, once. */
  'users.confirm_totp': {
    method: 'POST'
    path: '/totp/confirm'
    params?: undefined
    query?: undefined
    body: {
      /** Six digits of the authenticator app, or a recovery code. */
      code: string
    }
    answer: {
      /** Each signs in once in place of a code. */
      recovery_codes: string[]
    }
  }
  /** Switch codes off; recovery codes end too. */
  'users.disable_totp': {
    method: 'DELETE'
    path: '/totp'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: Record<string, never>
  }
  /** See what an invitation offers. */
  'users.find_invitation': {
    method: 'POST'
    path: '/invitations/find'
    params?: undefined
    query?: undefined
    body: {
      /** The token in the link. */
      token: string
    }
    answer: {
      /** The name of the store. */
      store: string
      /** The invited address. */
      email: string
      /** The role; decision 136 lists what each may do. */
      role: 'owner' | 'admin' | 'staff' | 'viewer'
      /** True if the address can sign in already. */
      has_account: boolean
    }
  }
  /** Accept an invitation: as a new user, or signed in as the invited one. */
  'users.accept_invitation': {
    method: 'POST'
    path: '/invitations/accept'
    params?: undefined
    query?: undefined
    body: {
      /** The token in the link. */
      token: string
      /** Your name; required if you have no account yet. */
      name?: string
      /** Required if you have no account yet. */
      password?: string
    }
    answer: {
      /** The id of the live side. */
      store_id: string
    }
  }
}
