/** The only reader of `process.env`: values arrive elsewhere as arguments. */
export const environment = (): Record<string, string | undefined> => ({ ...process.env })
