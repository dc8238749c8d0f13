import { useId, useState } from 'react'
import { formatNumber } from '../../kit/format.ts'
import { fill } from '../../text/catalogue.ts'
import { keyFiles } from '../../text/key-files.ts'
import { readKeyFile } from './key-file.ts'

interface KeyFileInputProps {
  label: string
  /** Called with the keys of the chosen file, one per line; with an empty text if no file could be read. */
  onText: (text: string) => void
}

/** A field for a file of keys. A file that cannot be read is refused with the line. */
export function KeyFileInput({ label, onText }: KeyFileInputProps) {
  const id = useId()
  const [refusal, setRefusal] = useState<string>()
  const read = async (file: File | undefined) => {
    const bytes = new Uint8Array((await file?.arrayBuffer()) ?? [])
    const result = readKeyFile({ name: file?.name ?? '', type: file?.type ?? '', bytes })
    const isRead = 'text' in result
    setRefusal(
      isRead ? undefined : fill(keyFiles[result.problem], { line: formatNumber(result.line) }),
    )
    onText(isRead ? result.text : '')
  }
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="file"
        accept=".txt,.csv,text/plain,text/csv"
        aria-describedby={refusal === undefined ? undefined : `${id}-refusal`}
        onChange={({ target }) => void read(target.files?.[0])}
      />
      {refusal !== undefined && (
        <p id={`${id}-refusal`} role="alert">
          {refusal}
        </p>
      )}
    </div>
  )
}
