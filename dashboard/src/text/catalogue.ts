const LANGUAGES = ['en', 'de', 'es'] as const
export type Language = (typeof LANGUAGES)[number]
export const LANGUAGE_NAMES: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
}

const STORED = 'tradepost-language'

export const language: Language = (() => {
  const wanted = [localStorage.getItem(STORED), ...navigator.languages]
  const known = wanted.map((tag) => LANGUAGES.find((item) => tag?.startsWith(item)))
  return known.find((item) => item !== undefined) ?? 'en'
})()
document.documentElement.lang = language

/** The page is loaded again: texts are read when their module is. */
export function chooseLanguage(chosen: Language) {
  localStorage.setItem(STORED, chosen)
  location.reload()
}

type Texts<Key extends string> = Record<Key, string>

/**
 * The texts of an area in English, German and Spanish, side by side, so that none can be missing. Gives those
 * of the chosen language. A text of another catalogue is taken as it is.
 */
export function catalogue<Key extends string>(
  texts: Record<Key, string | readonly [en: string, de: string, es: string]>,
): Texts<Key> {
  const index = LANGUAGES.indexOf(language)
  const entries = Object.entries<string | readonly string[]>(texts)
  const chosen = (text: string | readonly string[]) =>
    typeof text === 'string' ? text : (text[index] ?? '')
  return Object.fromEntries(entries.map(([key, text]) => [key, chosen(text)])) as Texts<Key>
}

/** Fills `{name}` in a text. */
export const fill = (text: string, values: Record<string, string | number>): string =>
  text.replace(/\{(\w+)\}/g, (gap, name) => String(values[name] ?? gap))
