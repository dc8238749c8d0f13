import { useId } from 'react'
import { common } from '../text/common.ts'
import { exponentOf } from './format.ts'

/** A field of a form, as data. */
export interface Field {
  /** The name of the field in the request, so that refusals find it. */
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
  options?: readonly { value: string; label: string }[]
  /** The currency of `money`. */
  currency?: string
  /** The first value. Money is in minor units. */
  value?: unknown
  autoComplete?: string
  /** Shown only if this holds for what was typed so far. */
  when?: (typed: Typed) => boolean
}

/** The typed values, as text; `checkbox` is true or false, `checkboxes` a list, `file` a File. */
export type Typed = Record<string, unknown>

export function firstTyped(fields: readonly Field[]): Typed {
  return Object.fromEntries(fields.map((field) => [field.name, firstOf(field)]))
}

function firstOf({ type, value, currency = 'EUR' }: Field): unknown {
  if (type === 'checkbox') return value === true
  if (type === 'checkboxes') return value ?? []
  if (type === 'file') return undefined
  if (type === 'money' && typeof value === 'number') {
    const digits = exponentOf(currency)
    return (value / 10 ** digits).toFixed(digits)
  }
  if (type === 'date' && typeof value === 'string') return value.slice(0, 10)
  return value == null ? '' : String(value)
}

/**
 * Converts typed values to those of a request: numbers, minor units, or undefined for an empty field.
 */
export function valuesOf(fields: readonly Field[], typed: Typed): Typed {
  const shown = fields.filter(({ when }) => when?.(typed) ?? true)
  return Object.fromEntries(shown.map((field) => [field.name, sentValue(field, typed[field.name])]))
}

function sentValue({ type, currency = 'EUR' }: Field, typed: unknown): unknown {
  if (typeof typed !== 'string') return typed
  const text = type === 'password' || type === 'textarea' ? typed : typed.trim()
  if (text === '') return undefined
  if (type !== 'number' && type !== 'money') return text
  const value = Number(text.replace(',', '.'))
  // Text that is no number is sent unchanged, so that the API refuses it. NaN would become null, which clears.
  if (Number.isNaN(value)) return text
  return type === 'number' ? value : Math.round(value * 10 ** exponentOf(currency))
}

interface InputProps {
  field: Field
  value: unknown
  error: string | undefined
  onChange(value: unknown): void
}

/** A labelled control; its error stands below it and is read with it. */
export function FieldInput({ field, value, error, onChange }: InputProps) {
  const id = useId()
  const { label, help, required, type = 'text' } = field
  const described = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ')
  const shared = {
    id,
    name: field.name,
    required: required ?? false,
    'aria-invalid': error !== undefined,
    ...(described !== '' && { 'aria-describedby': described }),
  }
  const notes = (
    <>
      {help && (
        <p className="help" id={`${id}-help`}>
          {help}
        </p>
      )}
      {error && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </>
  )
  if (type === 'checkbox') {
    return (
      <div className="field check">
        <input
          {...shared}
          type="checkbox"
          checked={value === true}
          onChange={(event) => onChange(event.target.checked)}
        />
        <label htmlFor={id}>{label}</label>
        {notes}
      </div>
    )
  }
  if (type === 'checkboxes') return <Checkboxes {...{ field, value, onChange, notes }} />
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {required && <span className="quiet"> ({common.required})</span>}
      </label>
      <Control {...{ field, value, onChange, shared }} />
      {notes}
    </div>
  )
}

interface ControlProps {
  field: Field
  value: unknown
  onChange(value: unknown): void
  shared: { id: string; name: string; required: boolean }
}

function Control({ field, value, onChange, shared }: ControlProps) {
  const { type = 'text', options = [], currency, autoComplete } = field
  const text = typeof value === 'string' ? value : ''
  if (type === 'select') {
    return (
      <select {...shared} value={text} onChange={(event) => onChange(event.target.value)}>
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
        {...shared}
        rows={5}
        value={text}
        onChange={(event) => onChange(event.target.value)}
      />
    )
  }
  if (type === 'file') {
    return <input {...shared} type="file" onChange={(event) => onChange(event.target.files?.[0])} />
  }
  const isNumber = type === 'number' || type === 'money'
  return (
    <span className="control">
      <input
        {...shared}
        type={isNumber ? 'text' : type}
        {...(isNumber && { inputMode: 'decimal' as const })}
        {...(autoComplete && { autoComplete })}
        value={text}
        onChange={(event) => onChange(event.target.value)}
      />
      {type === 'money' && <span className="unit">{currency}</span>}
    </span>
  )
}

function Checkboxes({
  field,
  value,
  onChange,
  notes,
}: {
  field: Field
  value: unknown
  onChange(value: unknown): void
  notes: React.ReactNode
}) {
  const chosen = Array.isArray(value) ? (value as string[]) : []
  return (
    <fieldset className="field">
      <legend>{field.label}</legend>
      <div className="checks">
        {field.options?.map(({ value: item, label }) => (
          <label key={item}>
            <input
              type="checkbox"
              checked={chosen.includes(item)}
              onChange={({ target }) =>
                onChange(
                  target.checked ? [...chosen, item] : chosen.filter((other) => other !== item),
                )
              }
            />{' '}
            {label}
          </label>
        ))}
      </div>
      {notes}
    </fieldset>
  )
}
