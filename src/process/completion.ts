import type { Command as Program } from 'commander'
import { CommandError } from '../command.ts'
import { adminCommands } from '../commands.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

interface CompletionItem {
  name: string
  description: string
  /** The allowed values of an option; empty if it accepts any value or none. */
  values: readonly string[]
  takesValue: boolean
}

/** A command or a group of commands, with the words that may follow it. */
interface Node {
  /** The words of the command, such as `keys create`; empty for the program. */
  path: string
  /** Subcommands, or the values of the command's argument. */
  words: readonly CompletionItem[]
  options: readonly CompletionItem[]
}

/** Returns the completion script for a shell. */
export async function completionScript(program: Program, shell: string): Promise<string> {
  const writers: Record<Shell, (nodes: readonly Node[]) => string> = { bash, zsh, fish }
  const shellName = SHELLS.find((item) => item === shell)
  if (!shellName)
    throw new CommandError(`<shell>: write one of ${SHELLS.join(', ')}, not "${shell}".`, 2)
  return writers[shellName](await nodesOf(program, ''))
}

async function nodesOf(program: Program, path: string): Promise<Node[]> {
  const nodes = [await nodeOf(program, path)]
  for (const item of program.commands) {
    nodes.push(...(await nodesOf(item, `${path} ${item.name()}`.trim())))
  }
  return nodes
}

async function nodeOf(program: Program, path: string): Promise<Node> {
  const command = adminCommands.find(({ name }) => name === path)
  const argValues = path === 'completion' ? SHELLS : ((await command?.argValues?.()) ?? [])
  const words = [
    ...program.commands.map((item) => wordItem(item.name(), item.summary() || item.description())),
    ...argValues.map((value) => wordItem(value)),
  ]
  const options = program.options.map(async ({ long, flags, description, required }) => {
    const option = command?.options?.find((item) => item.flags === flags)
    const values = (await option?.values?.()) ?? []
    return { name: long ?? flags, description, values, takesValue: required }
  })
  return { path, words, options: [...(await Promise.all(options)), HELP] }
}

const wordItem = (name: string, description = ''): CompletionItem => ({
  name,
  description,
  values: [],
  takesValue: false,
})

const HELP = wordItem('--help', 'show the help')

/** Quotes a text for all three shells. A quotation mark in it becomes typographic. */
const quote = (text: string): string => `'${text.replaceAll("'", '’')}'`

const namesOf = (items: readonly CompletionItem[]): string =>
  items.map(({ name }) => name).join(' ')

const joinLines = (nodes: readonly Node[], write: (node: Node) => readonly string[]): string =>
  nodes.flatMap(write).join('\n')

/** Returns the pattern of a `case` that matches all commands. */
const pathCases = (nodes: readonly Node[]): string =>
  nodes.flatMap(({ path }) => (path ? [quote(path)] : [])).join('|')

const optionsWithValue = (nodes: readonly Node[]) =>
  nodes.flatMap(({ path, options }) =>
    options.filter((item) => item.takesValue).map((item) => ({ path, ...item })),
  )

function bash(nodes: readonly Node[]): string {
  const values = optionsWithValue(nodes).map(
    (item) =>
      `    ${quote(`${item.path} ${item.name}`)}) choices=${quote(item.values.join(' '))} ;;`,
  )
  const words = joinLines(nodes, ({ path, words, options }) => [
    `      ${quote(path)}) choices=${quote(namesOf([...words, ...options]))} ;;`,
  ])
  return `# tradepost, for bash: source <(tradepost completion bash)
_tradepost() {
  local line=\${COMP_LINE:0:COMP_POINT} path='' choices='' before='' word
  local cur=\${line##* }
  local -a typed
  read -ra typed <<<"\${line%"$cur"}"
  for word in "\${typed[@]:1}"; do
    case "\${path:+$path }$word" in
      ${pathCases(nodes)}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path \${typed[-1]}" in
${values.join('\n')}
    *) case "$path" in
${words}
    esac ;;
  esac
  # A list continues after its last comma. Bash itself keeps the part before a colon.
  [[ $cur == *,* ]] && before="\${cur%,*},"
  COMPREPLY=($(compgen -P "$before" -W "$choices" -- "\${cur##*,}"))
  if [[ $cur == *:* && $COMP_WORDBREAKS == *:* ]]; then
    COMPREPLY=("\${COMPREPLY[@]#"\${cur%"\${cur##*:}"}"}")
  fi
}
complete -o default -F _tradepost tradepost
`
}

const describedItem = ({ name, description }: CompletionItem): string =>
  quote(description ? `${name.replaceAll(':', '\\:')}:${description}` : name.replaceAll(':', '\\:'))

function zsh(nodes: readonly Node[]): string {
  const values = optionsWithValue(nodes).map((item) => {
    const offer = item.values.length > 0 ? `compadd -- ${item.values.join(' ')}` : '_files'
    return `    ${quote(`${item.path} ${item.name}`)}) compset -P '*,'; ${offer}; return ;;`
  })
  const words = joinLines(nodes, ({ path, words, options }) => [
    `    ${quote(path)}) items=(${words.map(describedItem).join(' ')}); options=(${options.map(describedItem).join(' ')}) ;;`,
  ])
  return `# tradepost, for zsh: source <(tradepost completion zsh)
_tradepost() {
  local where='' word
  local -a items options
  for word in \${words[2,CURRENT-1]}; do
    case "\${where:+$where }$word" in
      ${pathCases(nodes)}) where="\${where:+$where }$word" ;;
    esac
  done
  case "$where \${words[CURRENT-1]}" in
${values.join('\n')}
  esac
  case "$where" in
${words}
  esac
  (( \${#items} )) && _describe command items
  _describe option options
}
compdef _tradepost tradepost
`
}

function fish(nodes: readonly Node[]): string {
  const rows = joinLines(nodes, ({ path, words, options }) => {
    const prefix = `complete -c tradepost -n ${quote(`__tradepost_at ${path}`.trim())}`
    return [
      ...words.map((item) => `${prefix} -a ${quote(item.name)} -d ${quote(item.description)}`),
      ...options.map((item) => {
        const name = `-l ${item.name.slice(2)} -d ${quote(item.description)}`
        if (!item.takesValue) return `${prefix} ${name}`
        return item.values.length > 0
          ? `${prefix} ${name} -x -a ${quote(item.values.join(' '))}`
          : `${prefix} ${name} -r`
      }),
    ]
  })
  const paths = nodes.flatMap(({ path }) => (path ? [quote(path)] : []))
  return `# tradepost, for fish: tradepost completion fish | source
function __tradepost_at
    set -l typed
    for word in (commandline -opc)[2..]
        contains -- (string join ' ' $typed $word) ${paths.join(' ')}; and set -a typed $word
    end
    test (string join ' ' $typed) = "$argv"
end
complete -c tradepost -f
${rows}
`
}
