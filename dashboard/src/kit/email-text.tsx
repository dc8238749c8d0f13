import type { ReactNode } from 'react'

const EMAIL = /^\S+@\S+$/

/** Lets an email address break before its @. Without that, a narrow cell breaks it before its last letter. */
export function withEmailBreak(shown: ReactNode): ReactNode {
  if (typeof shown !== 'string' || !EMAIL.test(shown)) return shown
  const at = shown.lastIndexOf('@')
  return (
    <>
      {shown.slice(0, at)}
      <wbr />
      {shown.slice(at)}
    </>
  )
}
