/** Emoji of build machines, teams and test suites by their names; a page shows any other name as it is. */
const EMOJI = new Map(
  Array.from(
    (
      "penguin 🐧 apple 🍎 green_apple 🍏 window 🪟 computer 💻 desktop_computer 🖥️ rocket 🚀 package 📦 test_tube 🧪 " +
      "whale 🐳 snake 🐍 gem 💎 crab 🦀 coffee ☕ robot 🤖 robot_face 🤖 iphone 📱 hammer 🔨 wrench 🔧 gear ⚙️ " +
      "hammer_and_wrench 🛠️ factory 🏭 fire 🔥 zap ⚡ lock 🔒 key 🔑 shield 🛡️ white_check_mark ✅ heavy_check_mark ✔️ " +
      "x ❌ warning ⚠️ construction 🚧 bug 🐛 microscope 🔬 mag 🔍 chart_with_upwards_trend 📈 bar_chart 📊 books 📚 " +
      "memo 📝 pencil ✏️ broom 🧹 lipstick 💄 art 🎨 sparkles ✨ star ⭐ tada 🎉 eyes 👀 snail 🐌 turtle 🐢 " +
      "racehorse 🐎 cloud ☁️ earth_africa 🌍 globe_with_meridians 🌐 ship 🚢 anchor ⚓ truck 🚚 airplane ✈️ " +
      "hourglass ⌛ stopwatch ⏱️ moon 🌙 crescent_moon 🌙 sunny ☀️ seedling 🌱 deciduous_tree 🌳 bear 🐻 cat 🐱 dog 🐶 " +
      "ghost 👻 skull 💀 brain 🧠 dart 🎯 trophy 🏆 bell 🔔 mega 📣 card_file_box 🗃️ floppy_disk 💾 cd 💿 electric_plug 🔌"
    ).matchAll(/(\w+) (\S+)/g),
    ([, name = "", emoji = ""]) => [`:${name}:`, emoji],
  ),
);

/** Returns a text with the characters of the emoji that it names: `:penguin:` is 🐧. */
export function withEmoji(text: string | null): string {
  return (text ?? "").replace(/:[a-z_]+:/g, (name) => EMOJI.get(name) ?? name);
}
