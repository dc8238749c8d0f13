/** PostgreSQL's errors about values quote them in their message; those of other classes quote names. */
const QUOTES_VALUES = /^22/

/** Never the parameters of a statement, nor what quotes a value or a row: they are customers' data. */
export function errorForLog(error: unknown): Record<string, unknown> {
  const { name, message, stack, code, constraint, table, cause } = (error ?? {}) as Record<
    string,
    unknown
  >
  const because = cause instanceof Error ? errorForLog(cause) : undefined
  const told = QUOTES_VALUES.test(String(code)) ? withoutQuoted(String(message)) : message
  const where =
    typeof stack === 'string' ? stack.replace(String(message), () => String(told)) : stack
  const named = { name, message: told, stack: where, code, constraint, table }
  return { ...named, ...(because && { cause: because }) }
}

const withoutQuoted = (message: string): string => message.replace(/".*"/s, '"…"')
