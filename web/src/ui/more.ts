/* A list that scrolls says so: it fades out where it goes on, and tells how many of its lines are out of sight. */

import type { Attachment } from "svelte/attachments";

/** Watch a list; `tell` hears how many of its children are not wholly in sight below. */
export function more(tell: (below: number) => void): Attachment<HTMLElement> {
  return list => {
    const look = () => {
      const end = list.getBoundingClientRect().bottom + 1,
        goesOn = list.scrollHeight - list.scrollTop - list.clientHeight > 2,
        below = goesOn ? [...list.children].filter(c => c.getBoundingClientRect().bottom > end).length : 0;
      list.classList.toggle("more", below > 0);
      tell(below);
    };
    const size = new ResizeObserver(look),
      content = new MutationObserver(look);
    size.observe(list);
    content.observe(list, { childList: true, subtree: true, characterData: true });
    list.addEventListener("scroll", look, { passive: true });
    look();
    return () => {
      size.disconnect();
      content.disconnect();
      list.removeEventListener("scroll", look);
    };
  };
}
