// `palimpsest completion`: prints a script that completes commands and options in a shell, made from the commands themselves.

import { Argument, type Command } from 'commander'

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

/** The words that may follow words of a command line: "sites create" is followed by `--json` and others. */
interface Place {
  after: string
  words: string[]
}

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .description('print a script that completes commands: source <(palimpsest completion bash); ... fish | source')
    .action((shell: Shell) => console.log(SCRIPTS[shell](program)))
}

const SCRIPTS: Readonly<Record<Shell, (program: Command) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

function bashScript(program: Command): string {
  return `_palimpsest() {
  local words=
  case "\${COMP_WORDS[*]:1:COMP_CWORD-1} " in
${casesOf(program)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _palimpsest palimpsest`
}

function zshScript(program: Command): string {
  return `#compdef palimpsest
_palimpsest() {
  local words_after=
  case "\${(j: :)words[2,CURRENT-1]} " in
${casesOf(program).replaceAll('words=', 'words_after=')}
  esac
  compadd -- \${=words_after}
  _files
}
compdef _palimpsest palimpsest`
}

/** Returns the cases of a shell: those of more words first. */
function casesOf(program: Command): string {
  const places = placesOf(program, []).toSorted((a, b) => b.after.length - a.after.length)
  return places
    .map(({ after, words }) => `    ${after === '' ? "' '" : `'${after} '*`}) words='${words.join(' ')}' ;;`)
    .join('\n')
}

function fishScript(program: Command): string {
  const lines = program.commands.flatMap((command) => [
    fishLine('__fish_use_subcommand', `-f -a ${command.name()}`, command.description()),
    ...fishLinesOf(command, [command.name()]),
  ])
  return lines.join('\n')
}

function fishLinesOf(command: Command, path: readonly string[]): string[] {
  const isHere = path.map((name) => `__fish_seen_subcommand_from ${name}`).join('; and ')
  return [
    ...command.options.map(({ long, description }) => fishLine(isHere, `-l ${(long ?? '').slice(2)}`, description)),
    ...command.commands.flatMap((inner) => [
      fishLine(isHere, `-f -a ${inner.name()}`, inner.description()),
      ...fishLinesOf(inner, [...path, inner.name()]),
    ]),
  ]
}

function fishLine(condition: string, what: string, description: string): string {
  return `complete -c palimpsest -n '${condition}' ${what} -d '${description.replaceAll(/[\\']/g, String.raw`\$&`)}'`
}

function placesOf(command: Command, path: readonly string[]): Place[] {
  const options = command.options.flatMap(({ long }) => long ?? [])
  const words = [...command.commands.map((inner) => inner.name()), ...options]
  return [
    { after: path.join(' '), words },
    ...command.commands.flatMap((inner) => placesOf(inner, [...path, inner.name()])),
  ]
}
