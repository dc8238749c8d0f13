/** The PostgreSQL error codes whose messages quote values. Other messages quote only names. */
const QUOTES_VALUES = /^22/

/** Returns an error for the log without statement parameters, values and rows, which are customers' data. */
export function errorForLog(error: unknown): Record<string, unknown> {
  const { name, message, stack, code, constraint, table, cause } = (error ?? {}) as Record<
    string,
    unknown
  >
  const safeCause = cause instanceof Error ? errorForLog(cause) : undefined
  const safeMessage = QUOTES_VALUES.test(String(code)) ? withoutQuoted(String(message)) : message
  const safeStack =
    typeof stack === 'string' ? stack.replace(String(message), () => String(safeMessage)) : stack
  const fields = { name, message: safeMessage, stack: safeStack, code, constraint, table }
  return { ...fields, ...(safeCause && { cause: safeCause }) }
}

const withoutQuoted = (message: string): string => message.replace(/".*"/s, '"…"')
