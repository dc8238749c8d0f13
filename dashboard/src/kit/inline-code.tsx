/** A text in which code is written between backticks. */
export const InlineCode = ({ text }: { text: string }) =>
  text.split('`').map((part, index) =>
    // Every second part is code.
    index % 2 === 1 ? <code key={part}>{part}</code> : part,
  )
