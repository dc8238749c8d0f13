import { encode } from 'uqr'

/** Light cells around a code, by its standard. */
const QUIET_ZONE = 4

/** A text as a QR code: dark on white in both themes, because readers of codes expect it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: QUIET_ZONE })
  const cells = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  )
  return (
    <svg className="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={cells.join('')} />
    </svg>
  )
}
