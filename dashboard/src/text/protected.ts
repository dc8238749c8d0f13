import { catalogue } from './catalogue.ts'

/** The texts of strings, files and settings that programs read. */
export const protectedTexts = catalogue({
  app: ['App', 'App', 'Aplicación'],
  access: ['Who may read it', 'Wer lesen darf', 'Quién puede leerlo'],
  licensed: ['Licenses from a level on', 'Lizenzen ab einer Stufe', 'Licencias desde un nivel'],
  session: ['Any session with a license', 'Jede Sitzung mit Lizenz', 'Toda sesión con licencia'],
  public: ['Public sessions too', 'Auch öffentliche Sitzungen', 'También sesiones públicas'],
  licensedFrom: [
    'Licenses from level {level}',
    'Lizenzen ab Stufe {level}',
    'Licencias desde el nivel {level}',
  ],
  level: ['Lowest license level', 'Niedrigste Lizenzstufe', 'Nivel mínimo de licencia'],
  nameHelp: [
    'Programs ask for it by this name. Letters, digits, _ . : and -',
    'Programme fragen danach mit diesem Namen. Buchstaben, Ziffern, _ . : und -',
    'Los programas lo piden con este nombre. Letras, dígitos, _ . : y -',
  ],
  note: ['Note for your team', 'Notiz für Ihr Team', 'Nota para su equipo'],
  size: ['Size', 'Größe', 'Tamaño'],
  version: ['Version', 'Version', 'Versión'],
  value: ['Value', 'Wert', 'Valor'],
  on: ['On', 'An', 'Activo'],
  off: ['Off', 'Aus', 'Inactivo'],
  switchOn: ['Switch on', 'Einschalten', 'Activar'],
  switchOff: ['Switch off', 'Ausschalten', 'Desactivar'],
  switchOnLead: [
    'Programs can read “{name}” again from their next request on.',
    'Programme können „{name}“ ab ihrer nächsten Anfrage wieder lesen.',
    'Los programas pueden leer «{name}» de nuevo desde su próxima solicitud.',
  ],
  switchOffLead: [
    'Programs that ask for “{name}” get “not found” from now on. You can switch it on again.',
    'Programme, die nach „{name}“ fragen, erhalten ab jetzt „nicht gefunden“. Sie können es wieder einschalten.',
    'Los programas que pidan «{name}» reciben «no encontrado» desde ahora. Puede activarlo otra vez.',
  ],
  strings: ['Strings', 'Texte', 'Textos'],
  stringsLead: [
    'Texts that a program fetches from here, so that they are not inside the program.',
    'Texte, die ein Programm hier abruft, damit sie nicht im Programm selbst stehen.',
    'Textos que un programa obtiene de aquí, para que no estén dentro del programa.',
  ],
  stringsEmpty: [
    'No strings yet. A string is a text, such as an address or a secret word, that only a program with a valid license gets. Create one.',
    'Noch keine Texte. Ein Text, etwa eine Adresse oder ein geheimes Wort, geht nur an Programme mit gültiger Lizenz. Legen Sie einen an.',
    'Aún no hay textos. Un texto, como una dirección o una palabra secreta, llega solo a programas con licencia válida. Cree uno.',
  ],
  newString: ['Create string', 'Text anlegen', 'Crear texto'],
  editString: ['Edit string', 'Text bearbeiten', 'Editar texto'],
  lastRead: ['Last read', 'Zuletzt gelesen', 'Última lectura'],
  reads: ['Reads', 'Abrufe', 'Lecturas'],
  deleteString: ['Delete string', 'Text löschen', 'Eliminar texto'],
  deleteStringLead: [
    'The value is gone for good. Programs read it {n} times so far; from now on they get “not found”.',
    'Der Wert ist endgültig weg. Programme haben ihn bisher {n}-mal gelesen; ab jetzt erhalten sie „nicht gefunden“.',
    'El valor desaparece para siempre. Los programas lo leyeron {n} veces; desde ahora reciben «no encontrado».',
  ],
})
