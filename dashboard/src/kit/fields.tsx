import { type ReactNode, useId } from 'react'
import { fill } from '../text/catalogue.ts'
import { forms } from '../text/forms.ts'
import { refusals } from '../text/refusals.ts'
import { exponentOf } from './currency-digits.ts'
import { formatMoney, formatNumber } from './format.ts'
import type { Option } from './options.ts'
import { TEXT_MAX } from './text-limits.ts'
import { isAmbiguous, readAmount, readNumber, typedNumber } from './typed-number.ts'
import { timeZone } from './zone.ts'

/** A field of a form, as data. */
export interface Field {
  /** The name of the field in the request, so that refusals are shown next to the field. */
  name: string
  label: string
  type?:
    | 'text'
    | 'email'
    | 'url'
    | 'password'
    | 'number'
    | 'money'
    | 'select'
    | 'textarea'
    | 'checkbox'
    | 'checkboxes'
    | 'date'
    | 'file'
  help?: string
  required?: boolean
  /** The choices of `select` and `checkboxes`. */
  options?: readonly Option[]
  /** The currency of `money`. */
  currency?: string
  /** The least and the highest number, as the request has it. */
  min?: number
  max?: number
  /** True for a number with decimals, such as a percentage. Other numbers are whole. */
  isDecimal?: boolean
  /** The maximum number of characters; by default the one that the API has for the name of the field. */
  maxLength?: number
  /** The minimum number of characters. */
  minLength?: number
  /** The first value. Money is in minor units. */
  value?: unknown
  autoComplete?: string
  /** Returns true if the field is shown. If undefined, the field is always shown. */
  when?: (inputs: FormValues) => boolean
  /** A control for a value that is not text, with its own label. The value is sent unchanged. */
  control?: (props: CustomControlProps) => ReactNode
  /** Formats a value of `control`, to show two versions next to each other. */
  text?: (value: unknown) => string
}

export interface CustomControlProps {
  value: unknown
  inputs: FormValues
  /** Returns the refusal of a part of the value, such as a row, whose element has this name as its id. */
  errorOf(part: string): string | undefined
  onChange(value: unknown): void
}

/**
 * The values of a form by field name. As inputs they are text, except for `checkbox` (a boolean), `checkboxes` (a
 * list) and `file` (a File). `requestValues` converts inputs to the values of a request.
 */
export type FormValues = Record<string, unknown>

export function initialInputs(fields: readonly Field[]): FormValues {
  return Object.fromEntries(fields.map((field) => [field.name, initialInput(field)]))
}

function initialInput({ type, value, currency = 'EUR', control }: Field): unknown {
  if (control) return value
  if (type === 'checkbox') return value === true
  if (type === 'checkboxes') return value ?? []
  if (type === 'file') return undefined
  if (type === 'money' && typeof value === 'number') {
    const digits = exponentOf(currency)
    return typedNumber(value / 10 ** digits, digits)
  }
  if (type === 'number' && typeof value === 'number') return typedNumber(value)
  return value == null ? '' : String(value)
}

/** Converts inputs to the values of a request: numbers, minor units, or undefined for an empty field. */
export function requestValues(fields: readonly Field[], inputs: FormValues): FormValues {
  const shownFields = fields.filter(({ when }) => when?.(inputs) ?? true)
  return Object.fromEntries(
    shownFields.map((field) => [field.name, requestValue(field, inputs[field.name])]),
  )
}

function requestValue({ type, currency = 'EUR' }: Field, input: unknown): unknown {
  if (typeof input !== 'string') return input
  const text = type === 'password' || type === 'textarea' ? input : input.trim()
  if (text === '') return undefined
  if (type !== 'number' && type !== 'money') return text
  const value = type === 'money' ? readAmount(text, exponentOf(currency)) : readNumber(text)
  // Text that is not a number stays text, which the form refuses. NaN would become null, which clears the value.
  return Number.isNaN(value) ? text : value
}

/** The shown fields whose value is no number, or outside of the limits of its field. */
export const fieldsWithWrongValue = (
  fields: readonly Field[],
  values: FormValues,
): readonly Field[] =>
  fields.filter((field) => {
    const value = values[field.name]
    if (field.type !== 'number' && field.type !== 'money')
      return isTooLong(field, value) || isTooShort(field, value)
    return (
      typeof value === 'string' ||
      (typeof value === 'number' && (isFraction(field, value) || !isInRange(field, value)))
    )
  })

/** A field with a control of its own has no limit of its name, because its value may be a list. */
const longestOf = ({ name, maxLength, control }: Field): number =>
  maxLength ?? (control ? undefined : TEXT_MAX[name]) ?? Infinity

const isTooLong = (field: Field, value: unknown): value is string =>
  typeof value === 'string' && value.length > longestOf(field)

const isTooShort = ({ minLength = 0 }: Field, value: unknown): boolean =>
  typeof value === 'string' && value.length < minLength

const isFraction = ({ type, isDecimal }: Field, value: number): boolean =>
  type === 'number' && !isDecimal && !Number.isInteger(value)

/** The highest amount of the API, in minor units. */
const CENTS_MAX = 99_999_999_999

const highestOf = ({ type, max = type === 'money' ? CENTS_MAX : Infinity }: Field): number => max

const isInRange = (field: Field, value: number): boolean =>
  value >= (field.min ?? -Infinity) && value <= highestOf(field)

/** The fields that a form refuses with these values of a draft: values outside of their limits, and required ones without a value. */
export const fieldsToCorrect = (
  fields: readonly Field[],
  drafted: FormValues,
): readonly Field[] => [
  ...fieldsWithWrongValue(fields, drafted),
  ...fields.filter(({ name, required }) => required && drafted[name] === null),
]

/** Says why the value of a field is refused. */
export function valueProblem(field: Field, value: unknown): string {
  if (field.type === 'number' || field.type === 'money') return numberProblem(field, value)
  if (isTooShort(field, value))
    return fill(refusals.charactersMin, { n: formatNumber(field.minLength ?? 0) })
  const count = { max: formatNumber(longestOf(field)), n: formatNumber(String(value).length) }
  return fill(forms.tooLong, count)
}

/** Says why the typed text is not a number, and shows one that can be typed, or which numbers the field takes. */
export function numberProblem(field: Field, value: unknown): string {
  const { type, currency = 'EUR', min, max } = field
  if (typeof value === 'number') {
    if (isFraction(field, value)) return forms.notWhole
    const text = (limit: number) =>
      type === 'money' ? formatMoney(limit, currency) : formatNumber(limit)
    const isTooSmall = min !== undefined && value < min
    if (isTooSmall && max === undefined) return fill(refusals.atLeast, { n: text(min) })
    const highest = text(highestOf(field))
    if (min === undefined) return fill(refusals.atMost, { n: highest })
    return fill(refusals.between, { n: text(min), max: highest })
  }
  const typed = String(value)
  if (type !== 'money') return fill(forms.notNumber, { example: typedNumber(12) })
  const digits = exponentOf(currency)
  if (digits === 0 || !isAmbiguous(typed))
    return fill(forms.notNumber, { example: typedNumber(1_234.5, digits) })
  const [whole = '', decimals = ''] = typed.trim().split(/[.,]/)
  const large = typedNumber(Number(whole + decimals), digits)
  const small = typedNumber(Number(`${whole}.${decimals}`), digits)
  return fill(forms.ambiguousAmount, { large, small })
}

interface InputProps {
  field: Field
  value: unknown
  /** The typed values of all fields of the form. */
  inputs?: FormValues
  error: string | undefined
  /** Returns the refusal of a part of the field. */
  errorOf?: (part: string) => string | undefined
  onChange(value: unknown): void
}

const noError = () => undefined

/** A labelled control. Its error is shown below it, and screen readers read both together. */
export function FieldInput(props: InputProps) {
  const { field, value, inputs = {}, error, errorOf = noError, onChange } = props
  const id = useId()
  const { label, help, required, type = 'text' } = field
  const zone = type === 'date' && fill(forms.zoneOfDays, { zone: timeZone() })
  const describedBy = [help && `${id}-help`, zone && `${id}-zone`, error && `${id}-error`]
    .filter(Boolean)
    .join(' ')
  const controlProps = {
    id,
    name: field.name,
    required: required ?? false,
    'aria-invalid': error !== undefined,
    ...(describedBy !== '' && { 'aria-describedby': describedBy }),
  }
  const helpAndError = (
    <>
      {help && (
        <p className="help" id={`${id}-help`}>
          {help}
        </p>
      )}
      {zone && (
        <p className="help" id={`${id}-zone`}>
          {zone}
        </p>
      )}
      {error && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </>
  )
  if (field.control) {
    return (
      <div className="field" id={field.name} tabIndex={-1}>
        {field.control({ value, inputs, errorOf, onChange })}
        {helpAndError}
      </div>
    )
  }
  if (type === 'checkbox') {
    return (
      <div className="field check">
        <input
          {...controlProps}
          type="checkbox"
          checked={value === true}
          onChange={(event) => onChange(event.target.checked)}
        />
        <label htmlFor={id}>{label}</label>
        {helpAndError}
      </div>
    )
  }
  if (type === 'checkboxes') return <Checkboxes {...{ field, value, onChange, helpAndError }} />
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {required && <span className="secondary-text"> ({forms.required})</span>}
      </label>
      <Control {...{ field, value, onChange, controlProps }} />
      {helpAndError}
    </div>
  )
}

interface ControlProps {
  field: Field
  value: unknown
  onChange(value: unknown): void
  controlProps: { id: string; name: string; required: boolean }
}

function Control({ field, value, onChange, controlProps }: ControlProps) {
  const { type = 'text', options = [], currency, autoComplete } = field
  const text = typeof value === 'string' ? value : ''
  if (type === 'select') {
    return (
      <select {...controlProps} value={text} onChange={(event) => onChange(event.target.value)}>
        {(!field.required || text === '') && <option value="" />}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    )
  }
  if (type === 'textarea') {
    return (
      <textarea
        {...controlProps}
        rows={5}
        value={text}
        onChange={(event) => onChange(event.target.value)}
      />
    )
  }
  if (type === 'file') {
    return (
      <input
        {...controlProps}
        type="file"
        onChange={(event) => onChange(event.target.files?.[0])}
      />
    )
  }
  const isNumber = type === 'number' || type === 'money'
  return (
    <span className="control">
      <input
        {...controlProps}
        type={isNumber ? 'text' : type}
        {...(isNumber && { inputMode: 'decimal' as const })}
        {...(autoComplete && { autoComplete })}
        value={text}
        onChange={(event) => onChange(event.target.value)}
      />
      {type === 'money' && <AmountUnit text={text} currency={currency ?? 'EUR'} />}
    </span>
  )
}

/** The currency of an amount. If the amount is not typed as it is written here, shows how it was understood. */
function AmountUnit({ text, currency }: { text: string; currency: string }) {
  const digits = exponentOf(currency)
  const minor = readAmount(text, digits)
  const isEchoed = !Number.isNaN(minor) && typedNumber(minor / 10 ** digits, digits) !== text.trim()
  return (
    <output className="unit">{isEchoed ? `= ${formatMoney(minor, currency)}` : currency}</output>
  )
}

interface CheckboxesProps {
  field: Field
  value: unknown
  onChange(value: unknown): void
  helpAndError: ReactNode
}

function Checkboxes({ field, value, onChange, helpAndError }: CheckboxesProps) {
  const checkedValues = Array.isArray(value) ? (value as string[]) : []
  return (
    <fieldset className="field">
      <legend>{field.label}</legend>
      <div className="checks">
        {field.options?.map(({ value: item, label, code }) => (
          <label key={item}>
            <input
              type="checkbox"
              name={field.name}
              checked={checkedValues.includes(item)}
              onChange={({ target }) =>
                onChange(
                  target.checked
                    ? [...checkedValues, item]
                    : checkedValues.filter((other) => other !== item),
                )
              }
            />{' '}
            {label} {code !== undefined && <code className="beside">{code}</code>}
          </label>
        ))}
      </div>
      {helpAndError}
    </fieldset>
  )
}
