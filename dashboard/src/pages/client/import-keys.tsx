import { useId, useState } from 'react'
import { securityRequest } from '../../api/action.ts'
import type { ClientApp } from '../../api/security.ts'
import type { Field } from '../../kit/fields.tsx'
import { Form, useMayWrite } from '../../kit/form.tsx'
import { formatNumber } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Section } from '../../kit/show.tsx'
import { Loaded, NotAllowed } from '../../kit/states.tsx'
import { NOTE_MAX } from '../../kit/text-limits.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { licenseImport } from '../../text/license-import.ts'
import { licenseKeys } from '../../text/license-keys.ts'
import { KeyFileInput } from '../catalogue/key-file-input.tsx'
import type { KeyLine } from '../catalogue/key-lines.ts'
import { appFieldIfSeveral, useAppsRead } from './app-options.ts'
import {
  checkLines,
  type ImportedTerms,
  type ImportResult,
  importBodyOf,
  importLines,
  KEYS_PER_CALL,
  type RefusedLine,
} from './import-lines.ts'
import { durationFields, termFields, termsOf } from './license-key-parts.ts'

const REFUSED_LINES_SHOWN = 20

export function Page() {
  const isAllowed = useMayWrite('client_security')
  const read = useAppsRead()
  return (
    <Frame
      title={licenseImport.title}
      parent={{ to: '/license-keys', label: licenseKeys.title }}
      lead={licenseImport.lead}
      actions={!isAllowed && <NotAllowed area="client_security" />}
    >
      <Loaded read={read}>{(apps) => isAllowed && <Import apps={apps} />}</Loaded>
    </Frame>
  )
}

/** The form, below the result of the previous import. It starts with the keys that were not imported. */
function Import({ apps }: { apps: readonly ClientApp[] }) {
  const [result, setResult] = useState<ImportResult>()
  const [importCount, setImportCount] = useState(0)
  const finish = (answer: unknown) => {
    setResult(answer as ImportResult)
    setImportCount(importCount + 1)
  }
  const notImported = result ? [...result.refused, ...result.unsent] : []
  return (
    <>
      <div role="status">{result && <Result result={result} />}</div>
      <ImportForm
        // A new key makes a new form.
        key={importCount}
        apps={apps}
        text={notImported.map(({ key }) => key).join('\n')}
        onDone={finish}
      />
    </>
  )
}

const Result = ({ result: { imported, refused, unsent } }: { result: ImportResult }) => (
  <Section title={fill(licenseImport.imported, { n: formatNumber(imported) })}>
    {refused.length > 0 && (
      <>
        <p>{licenseImport.refused}</p>
        <RefusedLines lines={refused} />
      </>
    )}
    {unsent.length > 0 && <p>{fill(licenseImport.unsent, { n: formatNumber(unsent.length) })}</p>}
    <p>
      <Link to="/license-keys">{licenseImport.toKeys}</Link>
    </p>
  </Section>
)

const RefusedLines = ({ lines }: { lines: readonly RefusedLine[] }) => (
  <ul>
    {lines.slice(0, REFUSED_LINES_SHOWN).map(({ line, reason }) => (
      <li key={line}>{fill(licenseImport.line, { line: formatNumber(line), reason })}</li>
    ))}
    {lines.length > REFUSED_LINES_SHOWN && (
      <li>
        {fill(licenseImport.moreLines, { n: formatNumber(lines.length - REFUSED_LINES_SHOWN) })}
      </li>
    )}
  </ul>
)

interface ImportFormProps {
  apps: readonly ClientApp[]
  /** The first text of the field for keys. */
  text: string
  onDone: (answer: unknown) => void
}

function ImportForm({ apps, text, onDone }: ImportFormProps) {
  const [imported, setImported] = useState<readonly KeyLine[]>([])
  const importedKeys = new Set(imported.map(({ key }) => key))
  const linesIn = (typedText: string) => {
    const { valid, refused } = checkLines(typedText)
    return { valid: valid.filter(({ key }) => !importedKeys.has(key)), refused }
  }
  const fields: readonly Field[] = [
    {
      name: 'keys',
      label: licenseImport.paste,
      // Other types are trimmed, which would change the numbers of the lines.
      type: 'textarea',
      value: text,
      control: ({ value, onChange }) => (
        <>
          <LinesInput text={String(value)} onChange={onChange} />
          <Preview {...linesIn(String(value))} importedCount={imported.length} />
        </>
      ),
    },
    ...appFieldIfSeveral(apps),
    ...durationFields(),
    ...termFields(),
    { name: 'note', label: common.note, maxLength: NOTE_MAX },
  ]
  return (
    <Section title={licenseImport.open}>
      <Form
        fields={fields}
        submit={(values) =>
          fill(licenseImport.submit, {
            n: formatNumber(linesIn(String(values.keys ?? '')).valid.length),
          })
        }
        request={(values) => {
          const { valid, refused } = linesIn(String(values.keys ?? ''))
          const { keys: _, ...typedTerms } = values
          const { app_id, ...terms } = termsOf(typedTerms)
          const options = { ...(app_id !== undefined && { app_id }), terms: terms as ImportedTerms }
          return {
            ...securityRequest(
              'licenseKeys',
              'import',
              importBodyOf(valid.slice(0, KEYS_PER_CALL), options),
            ),
            send: async (store) => {
              // A call without keys is refused with a message that the form shows.
              if (valid.length === 0)
                return store.security.licenseKeys.import(importBodyOf([], options))
              const result = await importLines(store, valid, {
                ...options,
                onImported: (lines) => setImported((before) => [...before, ...lines]),
              })
              return {
                imported: imported.length + result.imported,
                refused: [...refused, ...result.refused].toSorted((a, b) => a.line - b.line),
                unsent: result.unsent,
              } satisfies ImportResult
            },
          }
        }}
        onDone={onDone}
      />
    </Section>
  )
}

interface PreviewProps {
  valid: readonly KeyLine[]
  refused: readonly RefusedLine[]
  importedCount: number
}

/** The counts of the lines before anything is sent, and each line that is left out with its reason. */
const Preview = ({ valid, refused, importedCount }: PreviewProps) => (
  <div role="status">
    {valid.length + refused.length > 0 && (
      <p>
        {fill(licenseImport.preview, {
          valid: formatNumber(valid.length),
          refused: formatNumber(refused.length),
        })}
      </p>
    )}
    {importedCount > 0 && <p>{fill(licenseImport.before, { n: formatNumber(importedCount) })}</p>}
    {refused.length > 0 && <RefusedLines lines={refused} />}
  </div>
)

interface LinesInputProps {
  text: string
  onChange: (text: string) => void
}

/** A field for pasted lines, and one for a file whose lines replace them. */
function LinesInput({ text, onChange }: LinesInputProps) {
  const id = useId()
  return (
    <>
      <div className="field">
        <label htmlFor={`${id}-text`}>{licenseImport.paste}</label>
        <textarea
          id={`${id}-text`}
          rows={6}
          spellCheck={false}
          value={text}
          onChange={({ target }) => onChange(target.value)}
        />
      </div>
      <KeyFileInput label={licenseImport.file} onText={onChange} />
    </>
  )
}
