/** Errors of this class quote values in their message; other classes quote only names. */
const QUOTES_VALUES = /^22/

/** Leaves out statement parameters and quoted values and rows, because they are customers' data. */
export function errorForLog(error: unknown): Record<string, unknown> {
  const { name, message, stack, code, constraint, table, cause } = (error ?? {}) as Record<
    string,
    unknown
  >
  const because = cause instanceof Error ? errorForLog(cause) : undefined
  const safeMessage = QUOTES_VALUES.test(String(code)) ? withoutQuoted(String(message)) : message
  const safeStack =
    typeof stack === 'string' ? stack.replace(String(message), () => String(safeMessage)) : stack
  const fields = { name, message: safeMessage, stack: safeStack, code, constraint, table }
  return { ...fields, ...(because && { cause: because }) }
}

const withoutQuoted = (message: string): string => message.replace(/".*"/s, '"…"')
