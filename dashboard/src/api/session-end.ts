/** Written by the tab that learns that the session has ended, and deleted after the next sign-in. */
export const SESSION_ENDED_KEY = 'tradepost-session-ended'
