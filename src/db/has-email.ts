import { type RawBuilder, sql } from 'kysely'
import { emailForms, searchForms } from '../kernel/email.ts'

/**
 * Returns the condition that a column has an address in any of its forms (decision 448). For the one form of an ordinary
 * address it is `=`, with which an index also gives the sort.
 */
export function hasEmail(column: string, email: string): RawBuilder<unknown> {
  const forms = emailForms(email)
  const [form = email] = forms
  return forms.length > 1
    ? sql`${sql.ref(column)} = any(${forms}::text[])`
    : sql`${sql.ref(column)} = ${form}`
}

/**
 * Returns the condition that one of the texts to search for, if the text of a caller may be an address, meets a
 * condition.
 */
export function anyForm(
  search: string,
  conditionOf: (text: string) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const conditions = searchForms(search).map(conditionOf)
  const [condition = conditionOf(search)] = conditions
  return conditions.length > 1 ? sql`(${sql.join(conditions, sql` or `)})` : condition
}
