"""A preloaded library that leads a runtime which is linked into a program, or comes with it, to weft's.

nvcc links `libcudart_static.a` unless it is told otherwise, and that runtime asks the driver for tables which are not
documented.  But its functions are still in the symbol table of the file (`.symtab`, or `.dynsym` for a shared
`libcudart.so` of NVIDIA's): each that weft's runtime has becomes a jump there.  Stripped files have no names, and stay
as they are; the one in cuda-bindings is led by `startup/sitecustomize.py`.

The constructors of a program, which register its kernels, run after those of what is preloaded.  Those of libraries may
have run before, and when `dlopen` returns they have: nvcc's (`__sti____cudaRegisterAll`) are run again, now with weft's
runtime behind their calls.  To register twice does no harm.
"""

from __future__ import annotations

from pathlib import Path

from weft.gpu.driver.build import library

CALLED = "libweft-static-runtime.so"
STARTUP = Path(__file__).parent / "startup"
"""A folder for search paths of Python: what is there is executed first."""

SOURCE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__x86_64__)
#define MACHINE EM_X86_64
static const unsigned char JUMP[] = {0xff, 0x25, 0, 0, 0, 0}; /* jmp *0(%rip), the address behind it */
#elif defined(__aarch64__)
#define MACHINE EM_AARCH64
static const unsigned char JUMP[] = {0x50, 0, 0, 0x58, 0, 2, 0x1f, 0xd6}; /* ldr x16, #8; br x16 */
#else
#define MACHINE EM_NONE
static const unsigned char JUMP[] = {0};
#endif
enum { LENGTH = sizeof JUMP + 8, MOST = 4096 };

static void *runtime;
static uintptr_t seen[MOST]; /* Bases of the objects that have been looked at. */
static int known;

/* Overwrite the beginning of a function. */
__attribute__((visibility("default"))) void weft_lead(unsigned char *from, void *to) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = (uintptr_t)from & -page;
  size_t size = (uintptr_t)from + LENGTH - first;
  if (mprotect((void *)first, size, PROT_READ | PROT_WRITE | PROT_EXEC)) return;
  memcpy(from, JUMP, sizeof JUMP);
  memcpy(from + sizeof JUMP, &to, sizeof to);
  mprotect((void *)first, size, PROT_READ | PROT_EXEC);
  __builtin___clear_cache((char *)from, (char *)from + LENGTH);
}

/* The symbols of a table of a file that is mapped: jumps for the runtime's, or nvcc's constructors run again. */
static int walk(const char *file, size_t size, const Elf64_Shdr *table, uintptr_t base, int again) {
  const Elf64_Ehdr *head = (const Elf64_Ehdr *)file;
  const Elf64_Shdr *names = (const Elf64_Shdr *)(file + head->e_shoff) + table->sh_link;
  const Elf64_Sym *symbol = (const Elf64_Sym *)(file + table->sh_offset);
  int found = 0;
  if (table->sh_offset + table->sh_size > size || names->sh_offset + names->sh_size > size) return 0;
  for (size_t n = table->sh_size / sizeof *symbol; n--; symbol++) {
    if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF) continue;
    if (symbol->st_name >= names->sh_size) continue;
    const char *name = file + names->sh_offset + symbol->st_name;
    unsigned char *place = (unsigned char *)(base + symbol->st_value);
    if (again) {
      if (strstr(name, "__sti____cudaRegisterAll")) ((void (*)(void))place)();
      continue;
    }
    if (strncmp(name, "cuda", 4) && strncmp(name, "__cuda", 6)) continue;
    void *to = symbol->st_size >= LENGTH ? dlsym(runtime, name) : NULL;
    if (to && to != place) {
      weft_lead(place, to);
      found = 1;
    }
  }
  return found;
}

static void look(const char *file, size_t size, uintptr_t base, int loaded) {
  const Elf64_Ehdr *head = (const Elf64_Ehdr *)file;
  const Elf64_Shdr *section = (const Elf64_Shdr *)(file + head->e_shoff);
  if (size < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) || head->e_machine != MACHINE) return;
  if (head->e_shoff + head->e_shnum * sizeof *section > size) return;
  int found = 0;
  for (int again = 0; again <= (loaded && found); again++)
    for (int n = 0; n < head->e_shnum; n++)
      if (section[n].sh_type == SHT_SYMTAB || (section[n].sh_type == SHT_DYNSYM && !again))
        if (section[n].sh_link < head->e_shnum) found |= walk(file, size, section + n, base, again);
}

/* A runtime has this function: files without its name are not looked at further. */
static int has_runtime(const char *file, size_t size) {
  static const char name[] = "__cudaRegisterFatBinary";
  return memmem(file, size, name, sizeof name) != NULL;
}

static int each(struct dl_phdr_info *object, size_t length, void *nothing) {
  int loaded = object->dlpi_name && *object->dlpi_name; /* A library: its constructors may have run. */
  const char *path = loaded ? object->dlpi_name : "/proc/self/exe";
  struct stat facts;
  for (int n = 0; n < known; n++)
    if (seen[n] == object->dlpi_addr) return 0;
  if (known < MOST) seen[known++] = object->dlpi_addr;
  if (object->dlpi_addr == ((struct link_map *)runtime)->l_addr) return 0;
  int opened = open(path, O_RDONLY | O_CLOEXEC);
  if (opened < 0) return 0;
  if (!fstat(opened, &facts) && facts.st_size > 0) {
    size_t size = (size_t)facts.st_size;
    char *file = mmap(NULL, size, PROT_READ, MAP_PRIVATE, opened, 0);
    if (file != MAP_FAILED) {
      if (has_runtime(file, size)) look(file, size, object->dlpi_addr, loaded);
      munmap(file, size);
    }
  }
  close(opened);
  return 0;
}

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("WEFT_CUDART");
  if (path) runtime = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
  if (runtime) dl_iterate_phdr(each, NULL);
}

__attribute__((visibility("default"))) void *dlopen(const char *path, int flags) {
  static void *(*real)(const char *, int);
  if (!real) real = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
  void *found = real(path, flags);
  if (found && path && runtime) dl_iterate_phdr(each, NULL);
  return found;
}
"""


def build() -> Path:
    """The library, built unless it is there.  Raises ToolError where there is no C compiler."""
    return library((), CALLED, SOURCE)
