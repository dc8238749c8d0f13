import { encode } from 'uqr'

/** The width of the light border that the standard requires around a code, in cells. */
const QUIET_ZONE = 4

/** Shows a text as a QR code. It is dark on white in both themes, because scanners expect that. */
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
