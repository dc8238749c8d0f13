/** The only reader of `process.env`; other code gets settings as arguments. */
export const environment = (): Record<string, string | undefined> => ({ ...process.env })
