import { recordFields } from '../text/record-fields.ts'

/**
 * The label of a field of the API, by its path, such as `items[2].quantity`. A part without a label, such as the code in
 * `regions.CH`, has that of its record. Undefined if no part has one.
 */
export const labelOfPath = (path: string): string | undefined =>
  path
    .split(/[.[\]]+/)
    .reverse()
    .filter((part) => Object.hasOwn(recordFields, part))
    .map((part) => recordFields[part])[0]

export const FieldLabel = ({ path }: { path: string }) => labelOfPath(path) ?? path
