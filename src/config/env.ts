/** Copies `process.env`. No other code reads it; settings are passed as arguments. */
export const environment = (): Record<string, string | undefined> => ({ ...process.env })
