/* A disk that the kernel has remounted read-only under a running process, as it does after an error.

   `mount -o remount,ro` refuses while a file is open for writing; the kernel's own emergency does not ask. So the
   answers that it then gives come from here, preloaded: while the file $READ_ONLY_FLAG exists, whatever would change
   something below $READ_ONLY_FOLDER fails with EROFS, files that were open before included. Reading goes on. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int is_barred(void)
{
    const char *flag = getenv("READ_ONLY_FLAG");
    return flag && faccessat(AT_FDCWD, flag, F_OK, 0) == 0;
}

static int is_below(const char *path)
{
    const char *folder = getenv("READ_ONLY_FOLDER");
    return folder && strncmp(path, folder, strlen(folder)) == 0;
}

static int bars_file(int file)
{
    char link[64], path[4096];
    ssize_t size;
    if (!is_barred())
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    size = readlink(link, path, sizeof path - 1);
    if (size < 0)
        return 0;
    path[size] = 0;
    return is_below(path);
}

static int bars_path(const char *path)
{
    return is_barred() && is_below(path);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define REFUSE do { errno = EROFS; return -1; } while (0)

ssize_t pwrite(int file, const void *data, size_t size, off_t at)
{
    if (bars_file(file)) REFUSE;
    return REAL(pwrite)(file, data, size, at);
}

ssize_t pwrite64(int file, const void *data, size_t size, off64_t at)
{
    if (bars_file(file)) REFUSE;
    return REAL(pwrite64)(file, data, size, at);
}

ssize_t write(int file, const void *data, size_t size)
{
    if (bars_file(file)) REFUSE;
    return REAL(write)(file, data, size);
}

int ftruncate(int file, off_t size)
{
    if (bars_file(file)) REFUSE;
    return REAL(ftruncate)(file, size);
}

int ftruncate64(int file, off64_t size)
{
    if (bars_file(file)) REFUSE;
    return REAL(ftruncate64)(file, size);
}

int unlink(const char *path)
{
    if (bars_path(path)) REFUSE;
    return REAL(unlink)(path);
}

int rename(const char *from, const char *to)
{
    if (bars_path(to)) REFUSE;
    return REAL(rename)(from, to);
}

int access(const char *path, int mode)
{
    if ((mode & W_OK) && bars_path(path)) REFUSE;
    return REAL(access)(path, mode);
}

static int changes(int flags)
{
    return (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC));
}

#define MODE(flags, mode)                                                                                              \
    do {                                                                                                               \
        va_list more;                                                                                                  \
        va_start(more, flags);                                                                                         \
        mode = (flags & O_CREAT) ? va_arg(more, mode_t) : 0;                                                           \
        va_end(more);                                                                                                  \
    } while (0)

int open(const char *path, int flags, ...)
{
    mode_t mode;
    MODE(flags, mode);
    if (changes(flags) && bars_path(path)) REFUSE;
    return REAL(open)(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    mode_t mode;
    MODE(flags, mode);
    if (changes(flags) && bars_path(path)) REFUSE;
    return REAL(open64)(path, flags, mode);
}
