/** The browser that makes a call of the dashboard. */
export interface Browser {
  ip: string
  user_agent: string
  /** The cookie that names a device from which somebody signed in before. */
  device: string | undefined
}

/** The cookies that an answer sets; null deletes one, undefined leaves it. */
export interface Cookies {
  session?: string | null
  device?: string
}
