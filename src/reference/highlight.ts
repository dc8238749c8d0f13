import type { Sample } from './blocks.ts'
import { type Html, html } from './html.ts'

/** The comments, strings, numbers and keywords of each language, as far as our samples use them. */
const TOKENS: Record<Sample['language'], RegExp> = {
  json: /(?<key>"(?:[^"\\]|\\.)*")(?=\s*:)|(?<text>"(?:[^"\\]|\\.)*")|(?<word>\b(?:true|false|null)\b|-?\b\d[\d.]*\b)/g,
  ts: /(?<note>\/\/.*)|(?<text>'(?:[^'\\\n]|\\.)*'|`[^`]*`)|(?<word>\b(?:const|await|import|from|for|of|if|new|true|false|null)\b|\b\d[\d._]*\b)/g,
  sh: /(?<note>^#.*)|(?<text>"(?:[^"\\]|\\.)*"|'[^']*')|(?<word>^\w+|(?<=\s)-{1,2}[A-Za-z][\w-]*)/gm,
  http: /(?<word>^(?:GET|POST)\b)|(?<key>^[A-Z][\w-]*(?=:))/gm,
  text: /(?!)/g,
}

export function highlight({ language, text }: Sample): Html {
  const parts: Html[] = []
  let end = 0
  for (const match of text.matchAll(TOKENS[language])) {
    const [kind] = Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined) ?? []
    parts.push(html`${text.slice(end, match.index)}<span class="${`t-${kind}`}">${match[0]}</span>`)
    end = match.index + match[0].length
  }
  return html`${parts}${text.slice(end)}`
}
