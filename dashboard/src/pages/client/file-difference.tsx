import { readBytes } from '../../api/call.ts'
import type { FileVersion } from '../../api/dashboard.ts'
import { useRead } from '../../api/store.ts'
import { formatBytes } from '../../kit/format.ts'
import { Copy, Facts } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { protectedTexts } from '../../text/protected.ts'
import { AREA } from './files-parts.tsx'
import { Difference } from './version-comparison.tsx'

/** Larger contents are compared by size and hash only. */
const TEXT_BYTES_MAX = 65_536

interface DifferenceProps {
  fileId: number
  from: FileVersion
  to: FileVersion
}

/** Compares two contents of a file by lines if both are short texts, otherwise by size and hash. */
export function FileDifference(props: DifferenceProps) {
  const { from, to } = props
  if (from.sha256 === to.sha256)
    return <p className="secondary-text">{protectedTexts.noDifference}</p>
  const isShort = Math.max(from.size_bytes, to.size_bytes) <= TEXT_BYTES_MAX
  return isShort ? <ShortDifference {...props} /> : <BytesDifference {...props} />
}

function ShortDifference(props: DifferenceProps) {
  const { fileId, from, to } = props
  const read = useRead([AREA, String(fileId), 'texts', from.version, to.version], ({ id }) =>
    Promise.all(
      [from, to].map(async ({ version }) =>
        decodedText(await readBytes(`/stores/${id}/files/${fileId}/versions/${version}/content`)),
      ),
    ),
  )
  return (
    <Loaded read={read} rows={3}>
      {([before, after]) =>
        before === null || after === null ? (
          <BytesDifference {...props} />
        ) : (
          <Difference from={before ?? ''} to={after ?? ''} />
        )
      }
    </Loaded>
  )
}

/** Returns the text of these bytes; null if they are not UTF-8 or contain a NUL. */
function decodedText(bytes: ArrayBuffer): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}

const BytesDifference = ({ from, to }: DifferenceProps) => (
  <>
    <p>{fill(protectedTexts.otherBytes, { size: formatBytes(TEXT_BYTES_MAX) })}</p>
    <Facts rows={[...factsOf(from), ...factsOf(to)]} />
  </>
)

const factsOf = ({ version, size_bytes, sha256 }: FileVersion) => {
  const prefix = `${protectedTexts.version} ${version}: `
  return [
    [prefix + protectedTexts.size, formatBytes(size_bytes)],
    [`${prefix}SHA-256`, <Copy key={version} text={sha256} label={`${prefix}SHA-256`} />],
  ] as const
}
