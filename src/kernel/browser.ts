/** The browser that makes a call of the dashboard. */
export interface Browser {
  ip: string
  user_agent: string
  /** The cookie that identifies a device of an earlier sign-in. */
  device: string | undefined
}

/** The cookies that an answer sets. Null deletes a cookie; an omitted cookie is not changed. */
export interface Cookies {
  session?: string | null
  device?: string
}
