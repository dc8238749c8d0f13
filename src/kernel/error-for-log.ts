/** Never the parameters of a statement, nor a detail that quotes a row: they are customers' data. */
export function errorForLog(error: unknown): Record<string, unknown> {
  const { name, message, stack, code, constraint, table, cause } = (error ?? {}) as Record<
    string,
    unknown
  >
  const because = cause instanceof Error ? errorForLog(cause) : undefined
  return { name, message, stack, code, constraint, table, ...(because && { cause: because }) }
}
